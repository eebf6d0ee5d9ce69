//! Pixel trees: drawings of the shape of a rooted graph of any size [Lemberger 2018, 3.5].
//!
//! There is a centred row for each distance from the root, with a unit of length for each vertex at that distance. So the
//! drawing shows the width of the graph at each depth, without vertices' names or edges. The colour of a vertex shows its
//! role in the analysis. Rows keep the order of a breadth-first search, so that neighbours have neighbouring parents, but a
//! position does not identify the parent.

use std::collections::VecDeque;
use std::fmt::Write;

/// The role of a vertex, which determines its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Mark {
    /// No special role.
    #[default]
    Plain,
    /// A reached state covers it (green).
    Covered,
    /// It was merged with another state and replaced (yellow).
    Merged,
    /// It violates the property (red).
    Target,
}

impl Mark {
    /// The colour as red, green and blue.
    pub fn colour(self) -> [u8; 3] {
        match self {
            Mark::Plain => [0x30, 0x30, 0x30],
            Mark::Covered => [0x2e, 0xa0, 0x43],
            Mark::Merged => [0xe3, 0xb3, 0x41],
            Mark::Target => [0xd7, 0x3a, 0x49],
        }
    }
}

/// A pixel tree: its rows, starting with the root's.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PixelTree {
    /// Each row as a list of runs of vertices with the same mark: the mark and the length of the run.
    rows: Vec<Vec<(Mark, u32)>>,
}

/// A picture: an optional mark for each pixel, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Number of pixels in a row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// `width * height` pixels.
    pub pixels: Vec<Option<Mark>>,
}

/// Maximum width and height of a picture in pixels; larger trees are scaled down.
const MAX_PIXELS: u32 = 4096;

/// Maximum number of pixels that a vertex takes in each direction.
const PIXELS_PER_VERTEX: u32 = 4;

impl PixelTree {
    /// The tree of a breadth-first search from `root`; `vertices` is an estimate of their number. `visit` returns a
    /// vertex's mark and pushes its successors, each with a mark: a successor marked [`Mark::Covered`] is drawn without
    /// successors, even if it was visited.
    ///
    /// Cost: linear in the number of vertices and edges.
    pub fn new(root: u32, vertices: usize, mut visit: impl FnMut(u32, &mut Vec<(u32, Mark)>) -> Mark) -> PixelTree {
        let mut tree = PixelTree::default();
        let mut seen = fixedbitset::FixedBitSet::with_capacity(vertices.max(root as usize + 1));
        seen.insert(root as usize);
        let mut queue = VecDeque::from([(root, 0)]);
        let mut successors = Vec::new();
        while let Some((v, depth)) = queue.pop_front() {
            successors.clear();
            let mark = visit(v, &mut successors);
            tree.add(depth, mark);
            for &(w, mark) in &successors {
                if mark == Mark::Covered {
                    tree.add(depth + 1, mark);
                    continue;
                }
                seen.grow(w as usize + 1);
                if !seen.put(w as usize) {
                    queue.push_back((w, depth + 1));
                }
            }
        }
        tree
    }

    fn add(&mut self, depth: usize, mark: Mark) {
        if self.rows.len() <= depth {
            self.rows.resize_with(depth + 1, Vec::new);
        }
        match self.rows[depth].last_mut() {
            Some((last, n)) if *last == mark => *n += 1,
            _ => self.rows[depth].push((mark, 1)),
        }
    }

    /// The number of vertices in each row.
    pub fn widths(&self) -> impl Iterator<Item = u32> {
        self.rows.iter().map(|row| row.iter().map(|(_, n)| n).sum())
    }

    /// The number of vertices with `mark`.
    pub fn count(&self, mark: Mark) -> u64 {
        self.rows.iter().flatten().filter(|(m, _)| *m == mark).map(|(_, n)| u64::from(*n)).sum()
    }

    /// The number of vertices (or rows) per pixel, and the number of pixels per vertex; one of the two is 1.
    fn scale(&self) -> (u32, u32) {
        let longest = self.widths().max().unwrap_or(0).max(self.rows.len() as u32).max(1);
        (longest.div_ceil(MAX_PIXELS), (MAX_PIXELS / longest).clamp(1, PIXELS_PER_VERTEX))
    }

    /// The tree in pixels. A pixel that stands for several vertices shows the greatest of their marks.
    pub fn picture(&self) -> Picture {
        let (shrink, grow) = self.scale();
        let width = self.widths().max().unwrap_or(0).div_ceil(shrink) * grow;
        let height = (self.rows.len() as u32).div_ceil(shrink) * grow;
        let mut pixels = vec![None; (width * height) as usize];
        for (y, (row, length)) in (0u32..).zip(self.rows.iter().zip(self.widths())) {
            let mut x = (u64::from(width) * u64::from(shrink) - u64::from(length) * u64::from(grow)) / 2;
            for &(mark, n) in row {
                let end = x + u64::from(n * grow);
                let first = (x / u64::from(shrink)) as u32;
                let last = ((end - 1) / u64::from(shrink)) as u32;
                for line in 0..grow {
                    let at = ((y / shrink) * grow + line) * width;
                    for pixel in &mut pixels[(at + first) as usize..=(at + last.min(width - 1)) as usize] {
                        *pixel = (*pixel).max(Some(mark));
                    }
                }
                x = end;
            }
        }
        Picture { width, height, pixels }
    }

    /// The tree as an SVG picture, exact at any size: one unit per vertex.
    pub fn svg(&self) -> String {
        let width = self.widths().max().unwrap_or(0);
        let height = self.rows.len();
        let (shrink, grow) = self.scale();
        let shown = |n: u64| (n * u64::from(grow)).div_ceil(u64::from(shrink));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" \
             preserveAspectRatio=\"none\" shape-rendering=\"crispEdges\">\n",
            shown(width.into()),
            shown(height as u64),
        );
        let vertices: u64 = self.widths().map(u64::from).sum();
        let _ = writeln!(out, "<title>{vertices} vertices on {height} levels</title>");
        for (y, (row, length)) in self.rows.iter().zip(self.widths()).enumerate() {
            let mut x = f64::from(width - length) / 2.0;
            for &(mark, n) in row {
                let [r, g, b] = mark.colour();
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{n}\" height=\"1\" fill=\"#{r:02x}{g:02x}{b:02x}\"/>"
                );
                x += f64::from(n);
            }
        }
        out.push_str("</svg>\n");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree of the graph in which `v` has the successors `edges[v]`.
    fn tree(edges: &[&[(u32, Mark)]], marks: &[(u32, Mark)]) -> PixelTree {
        PixelTree::new(0, edges.len(), |v, out| {
            out.extend_from_slice(edges[v as usize]);
            marks.iter().find(|(w, _)| *w == v).map_or(Mark::Plain, |(_, m)| *m)
        })
    }

    fn drawn(picture: &Picture) -> Vec<String> {
        let letter = |p: &Option<Mark>| match p {
            None => ' ',
            Some(Mark::Plain) => '#',
            Some(Mark::Covered) => 'c',
            Some(Mark::Merged) => 'm',
            Some(Mark::Target) => 'T',
        };
        picture.pixels.chunks(picture.width as usize).map(|row| row.iter().map(letter).collect()).collect()
    }

    const P: Mark = Mark::Plain;

    #[test]
    fn a_row_is_a_distance_from_the_root() {
        // 0 -> 1, 2; 1 -> 3 and one that 2 covers; 2 -> 3 again, which is drawn once.
        let t = tree(&[&[(1, P), (2, P)], &[(3, P), (2, Mark::Covered)], &[(3, P)], &[]], &[(3, Mark::Target)]);
        assert_eq!(t.widths().collect::<Vec<_>>(), [1, 2, 2]);
        assert_eq!((t.count(P), t.count(Mark::Covered), t.count(Mark::Target)), (3, 1, 1));
        let picture = t.picture();
        assert_eq!((picture.width, picture.height), (8, 12));
        assert_eq!(
            drawn(&picture).iter().step_by(4).collect::<Vec<_>>(),
            ["  ####  ", "########", "ccccTTTT"],
            "a vertex has four pixels, and rows are centred"
        );
        let svg = t.svg();
        assert!(svg.contains("viewBox=\"0 0 2 3\""), "{svg}");
        assert!(svg.contains("<rect x=\"0.5\" y=\"0\" width=\"1\""), "{svg}");
    }

    #[test]
    fn large_trees_shrink_and_keep_what_is_notable() {
        // A root with 10,000 leaves, one of them a target.
        let t = PixelTree::new(0, 10_001, |v, out| {
            if v == 0 {
                out.extend((1..=10_000).map(|w| (w, P)));
            }
            if v == 5_000 { Mark::Target } else { P }
        });
        let picture = t.picture();
        assert_eq!((picture.width, picture.height), (3334, 1));
        assert_eq!(picture.pixels.iter().filter(|p| **p == Some(Mark::Target)).count(), 1);
        assert!(picture.pixels.iter().all(Option::is_some));
    }

    #[test]
    fn cycles_end() {
        let t = tree(&[&[(1, P)], &[(0, P), (1, P)]], &[]);
        assert_eq!(t.widths().collect::<Vec<_>>(), [1, 1]);
    }
}
