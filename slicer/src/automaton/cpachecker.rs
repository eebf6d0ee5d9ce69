//! Reads the specification automata of CPAchecker, as far as ours can express them.
//!
//! ```text
//! CONTROL AUTOMATON SVCOMP
//! INITIAL STATE Init;
//! STATE USEFIRST Init :
//!   MATCH {reach_error($?)} -> ERROR("reach_error called in $location");
//!   MATCH {abort($?)} || MATCH {exit($?)} -> STOP;
//! END AUTOMATON
//! ```
//!
//! | CPAchecker | here |
//! |---|---|
//! | `MATCH {f($?)}`, `MATCH {$1 = f($2, $?)}`, `MATCH "f();"` | `call f`, however many arguments it has and whatever becomes of its result |
//! | `A \|\| B` | one event for both |
//! | `-> GOTO S`, `-> STOP`, `-> ERROR`, `-> ERROR("...")` | the same; `$location` and `$rawstatement` are dropped from texts, as a violation has its place anyway |
//! | `-> ASSUME {e} ...` | `assume e` |
//! | `STATE USEFIRST S` | the first transition is taken, as always here |
//!
//! All else has no counterpart and is refused: variables (`LOCAL`, `DO`, `ASSERT`), other states (`USEALL`), other events (labels, entries, exits, statements
//! that are no calls), queries to other analyses (`CHECK`), actions (`PRINT`, `MODIFY`), and included files.

use crate::automaton::expression::Line;
use crate::automaton::{Automaton, AutomatonError, Event, State, Successor, Transition};

/// Whether the text is in CPAchecker's syntax. Ours has keywords in small letters.
pub(super) fn is_of_cpachecker(text: &str) -> bool {
    let first = tokens(text).into_iter().next();
    matches!(first, Some((_, Token::Word(word))) if ["CONTROL", "OBSERVER", "AUTOMATON"].contains(&word.as_str()))
}

/// Parses the automata of a text.
///
/// # Errors
/// The first line that is malformed, or that ours cannot express.
pub(super) fn parse(text: &str) -> Result<Vec<Automaton>, AutomatonError> {
    let mut reader = Reader { tokens: tokens(text), at: 0 };
    let mut found: Vec<Automaton> = Vec::new();
    while reader.peek().is_some() {
        let automaton = reader.automaton()?;
        if found.iter().any(|other| other.name == automaton.name) {
            return Err(reader.error(format!("there is already an automaton {}", automaton.name)));
        }
        found.push(automaton);
    }
    Ok(found)
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    /// `->`, `||` or one character.
    Mark(&'static str),
    /// What stands in braces, or in quotes.
    Braces(String),
    Text(String),
    /// What has no meaning in the automata that are read.
    Other(String),
}

/// Marks, longer ones first.
const MARKS: [&str; 6] = ["->", "||", ";", ":", "(", ")"];

/// The tokens of a text with their lines.
fn tokens(text: &str) -> Vec<(u32, Token)> {
    let (mut found, mut rest, mut line) = (Vec::new(), text, 1);
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '.';
        // The length of what is read, and the token that it is.
        let (length, token) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |end| end + 2), None)
        } else if c.is_whitespace() {
            (c.len_utf8(), None)
        } else if let Some(mark) = MARKS.into_iter().find(|mark| rest.starts_with(mark)) {
            (mark.len(), Some(Token::Mark(mark)))
        } else if let Some(inside) = enclosed(rest, '{', '}') {
            (inside.len() + 2, Some(Token::Braces(inside.to_string())))
        } else if let Some(inside) = enclosed(rest, '"', '"') {
            (inside.len() + 2, Some(Token::Text(inside.to_string())))
        } else if is_word(c) {
            // A word ends before an arrow.
            let mut end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            end = rest.find("->").map_or(end, |arrow| end.min(arrow));
            (end, Some(Token::Word(rest[..end].to_string())))
        } else {
            (c.len_utf8(), Some(Token::Other(c.to_string())))
        };
        found.extend(token.map(|token| (line, token)));
        line += rest[..length].matches('\n').count() as u32;
        rest = &rest[length..];
    }
    found
}

/// What stands between these characters at the beginning of a text.
fn enclosed(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.split_once(close).map(|(inside, _)| inside)
}

struct Reader {
    tokens: Vec<(u32, Token)>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(line, _)| *line)
    }

    fn error(&self, reason: impl Into<String>) -> AutomatonError {
        AutomatonError { line: self.line(), reason: reason.into() }
    }

    fn expected(&self, what: &str) -> AutomatonError {
        let found = match self.peek() {
            None => "the end of the text".to_string(),
            Some(Token::Word(word) | Token::Other(word)) => format!("'{word}'"),
            Some(Token::Mark(mark)) => format!("'{mark}'"),
            Some(Token::Braces(text)) => format!("'{{{text}}}'"),
            Some(Token::Text(text)) => format!("'\"{text}\"'"),
        };
        self.error(format!("{what} is expected, not {found}; not all of CPAchecker's automata can be expressed"))
    }

    /// Reads this word, if it comes next.
    fn keyword(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Word(next)) if next == word);
        self.at += usize::from(is_next);
        is_next
    }

    fn mark(&mut self, mark: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Mark(next)) if *next == mark);
        self.at += usize::from(is_next);
        is_next
    }

    fn need(&mut self, is_read: bool, what: &str) -> Result<(), AutomatonError> {
        if is_read { Ok(()) } else { Err(self.expected(what)) }
    }

    fn name(&mut self, what: &str) -> Result<String, AutomatonError> {
        let Some(Token::Word(name)) = self.peek().cloned() else { return Err(self.expected(what)) };
        self.at += 1;
        Ok(name)
    }

    fn automaton(&mut self) -> Result<Automaton, AutomatonError> {
        let _ = self.keyword("CONTROL") || self.keyword("OBSERVER");
        let begins = self.keyword("AUTOMATON");
        self.need(begins, "AUTOMATON")?;
        let name = self.name("the name of the automaton")?;
        let initial = self.keyword("INITIAL") && self.keyword("STATE");
        self.need(initial, "INITIAL STATE")?;
        let initial = self.name("the name of the initial state")?;
        let ends = self.mark(";");
        self.need(ends, "';'")?;
        let mut states: Vec<State> = Vec::new();
        // The successors by name, each with its state, its transition and its line.
        let mut open: Vec<(usize, usize, String)> = Vec::new();
        while self.keyword("STATE") {
            let first = self.keyword("USEFIRST");
            self.need(first, "USEFIRST")?;
            let name = self.name("the name of a state")?;
            if states.iter().any(|state| state.name == name) {
                return Err(self.error(format!("there is already a state {name}")));
            }
            let ends = self.mark(":");
            self.need(ends, "':'")?;
            let mut transitions = Vec::new();
            while matches!(self.peek(), Some(Token::Word(word)) if word != "STATE" && word != "END") {
                let (transition, to) = self.transition(&name)?;
                open.extend(to.map(|to| (states.len(), transitions.len(), to)));
                transitions.push(transition);
            }
            states.push(State { name, transitions });
        }
        let ends = self.keyword("END") && self.keyword("AUTOMATON");
        self.need(ends, "STATE or END AUTOMATON")?;
        let index = |name: &str, line: u32| {
            let found = states.iter().position(|state| state.name == name);
            found.ok_or_else(|| AutomatonError { line, reason: format!("there is no state {name}") })
        };
        let initial = index(&initial, self.line())?;
        let ends = open.iter().map(|(state, i, to)| index(to, states[*state].transitions[*i].line));
        let ends = ends.collect::<Result<Vec<usize>, _>>()?;
        for ((state, i, _), to) in open.into_iter().zip(ends) {
            states[state].transitions[i].to = Successor::State(to);
        }
        Ok(Automaton { name, states, initial })
    }

    /// A transition of the state; with the name of its successor, if that is a state.
    fn transition(&mut self, state: &str) -> Result<(Transition, Option<String>), AutomatonError> {
        let line = self.line();
        let mut names = Vec::new();
        loop {
            let begins = self.keyword("MATCH");
            self.need(begins, "MATCH")?;
            names.push(self.called()?);
            if !self.mark("||") {
                break;
            }
        }
        let event = Event::Call(names);
        let leads = self.mark("->");
        self.need(leads, "'->'")?;
        let assumption = match self.keyword("ASSUME") {
            true => Some(self.assumption()?),
            false => None,
        };
        let mut name = None;
        let to = if self.keyword("STOP") {
            Successor::Stop
        } else if self.keyword("GOTO") {
            name = Some(self.name("the name of a state")?);
            Successor::Stop
        } else if self.keyword("ERROR") {
            Successor::Error(self.message()?.unwrap_or_else(|| format!("{event} in state {state}")))
        } else {
            return Err(self.expected("ASSUME, GOTO, ERROR or STOP"));
        };
        let ends = self.mark(";");
        self.need(ends, "';'")?;
        Ok((Transition { line, event, condition: None, assumption, to }, name))
    }

    /// The function whose call a pattern matches: `f($?)`, `$1 = f($2)`, `f();`.
    fn called(&mut self) -> Result<String, AutomatonError> {
        let (Some(Token::Braces(pattern)) | Some(Token::Text(pattern))) = self.peek().cloned() else {
            return Err(self.expected("a call in braces, {f($?)},"));
        };
        let call = pattern.trim().trim_end_matches(';').trim_end();
        let is_joker = |text: &str| text.strip_prefix('$').is_some_and(|n| n == "?" || n.parse::<u32>().is_ok());
        let call = match call.split_once('=') {
            Some((result, call)) if is_joker(result.trim()) => call.trim(),
            _ => call,
        };
        let parts = call.split_once('(').and_then(|(name, rest)| Some((name.trim(), rest.strip_suffix(')')?.trim())));
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match parts {
            Some((name, arguments))
                if is_name(name) && (arguments.is_empty() || arguments.split(',').all(|a| is_joker(a.trim()))) =>
            {
                self.at += 1;
                Ok(name.to_string())
            }
            _ => Err(self.expected("a call in braces with arguments such as $? or $1, {f($?)},")),
        }
    }

    fn assumption(&mut self) -> Result<crate::automaton::Expr, AutomatonError> {
        let Some(Token::Braces(text)) = self.peek().cloned() else {
            return Err(self.expected("a condition in braces"));
        };
        let mut line = Line::new(self.line(), text.trim().trim_end_matches(';'))?;
        let condition = line.condition()?;
        if line.peek().is_some() {
            return Err(line.expected("an operator or the end of the condition"));
        }
        self.at += 1;
        Ok(condition)
    }

    /// What is in parentheses after `ERROR`.
    fn message(&mut self) -> Result<Option<String>, AutomatonError> {
        if !self.mark("(") {
            return Ok(None);
        }
        let Some(Token::Text(text)) = self.peek().cloned() else { return Err(self.expected("a text in quotes")) };
        self.at += 1;
        let ends = self.mark(")");
        self.need(ends, "')'")?;
        let text = text.replace(" in $location", "").replace("$location", "").replace("$rawstatement", "");
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok(Some(words.join(" ").trim_matches(':').trim().to_string()).filter(|text| !text.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use crate::automaton::parse;

    /// The automata with this text, in the syntax of CPAchecker and in ours, are the same, but for the numbers of lines.
    fn same(theirs: &str, ours: &str) {
        let read = |text: &str| {
            let mut automata = parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            automata.iter_mut().flat_map(|a| &mut a.states).flat_map(|s| &mut s.transitions).for_each(|t| t.line = 0);
            automata
        };
        assert_eq!(read(theirs), read(ours));
    }

    #[test]
    fn what_can_be_expressed_is_read() {
        same(
            "// Calls of an error\nCONTROL AUTOMATON SVCOMP\n/* one\n state */\nINITIAL STATE Init;\n\nSTATE USEFIRST Init :\n  \
             MATCH {reach_error($?)}\n\n  -> ERROR(\"unreach-call: $rawstatement called in $location\");\n  \
             MATCH {abort($?)} || MATCH {exit($1)} -> STOP;\nEND AUTOMATON\n",
            "automaton SVCOMP\nstate Init initial\n call reach_error -> ERROR \"unreach-call: called\"\n call abort, exit -> STOP\n",
        );
        same(
            "OBSERVER AUTOMATON locks\nINITIAL STATE Free;\nSTATE USEFIRST Taken :\n  MATCH \"lock();\" -> ERROR;\n  \
             MATCH {$? = unlock($1, $?)} -> ASSUME {n > 0} GOTO Free;\nSTATE USEFIRST Free :\n  MATCH {lock()}->GOTO Taken;\nEND AUTOMATON",
            "automaton locks\nstate Taken\n call lock -> ERROR\n call unlock assume n > 0 -> Free\nstate Free initial\n call lock -> Taken\n",
        );
    }

    #[test]
    fn what_cannot_be_expressed_is_refused_with_its_line() {
        let error = |state: &str| {
            let text = format!("OBSERVER AUTOMATON a\nINITIAL STATE A;\nSTATE USEFIRST A :\n{state}\nEND AUTOMATON");
            parse(&text).expect_err(&text).to_string()
        };
        for (state, expected) in [
            ("MATCH LABEL [ERROR] -> ERROR;", "4: a call in braces, {f($?)}, is expected, not 'LABEL'"),
            ("MATCH EXIT -> ERROR;", "4: a call in braces, {f($?)}, is expected, not 'EXIT'"),
            ("MATCH {x = y} -> ERROR;", "4: a call in braces with arguments such as $? or $1, {f($?)}, is expected"),
            ("MATCH {f(3)} -> ERROR;", "4: a call in braces with arguments"),
            ("MATCH {f()} -> PRINT \"x\" GOTO A;", "4: ASSUME, GOTO, ERROR or STOP is expected, not 'PRINT'"),
            ("MATCH {f()} -> GOTO B;", "4: there is no state B"),
            ("CHECK(x) -> ERROR;", "4: MATCH is expected, not 'CHECK'"),
            ("MATCH {f()} -> STOP;", "no transition leads to ERROR"),
            ("MATCH {f(} -> ERROR", "4: a call in braces with arguments"),
            ("MATCH {f()} -> ERROR(\"x)", "4: a text in quotes is expected, not '\"'"),
            ("MATCH {f() -> ERROR;", "4: a call in braces, {f($?)}, is expected, not '{'"),
        ] {
            assert!(error(state).contains(expected), "{}", error(state));
        }
        let local = "OBSERVER AUTOMATON a\nLOCAL int x = 0;\nINITIAL STATE A;\n";
        assert!(parse(local).expect_err(local).to_string().starts_with("2: INITIAL STATE is expected, not 'LOCAL'"));
        let all = "OBSERVER AUTOMATON a\nINITIAL STATE A;\nSTATE USEALL A :\n";
        assert!(parse(all).expect_err(all).to_string().starts_with("3: USEFIRST is expected, not 'USEALL'"));
    }
}
