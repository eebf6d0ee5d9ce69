//! Parser for the text of specification automata.

use crate::automaton::cpachecker;
use crate::automaton::expression::{Line, Token};
use crate::automaton::{Automaton, AutomatonError, Event, Expr, State, Successor, Transition};
use crate::criteria::near;

/// A transition whose successor is still a name: the index of its state, its index in that state, and the successor's name.
type Open = (usize, usize, String);

/// An automaton that is being read.
struct Draft {
    line: u32,
    name: String,
    states: Vec<State>,
    initial: Option<usize>,
    open: Vec<Open>,
}

/// Maximum number of automata in one text, and of states in one automaton.
const MAX_NUMBER: usize = 1 << 16;

/// Parses the automata of a text, in our syntax or in that of CPAchecker.
///
/// # Errors
/// The first line that does not follow the documentation of [`automaton`](crate::automaton) or that ours cannot express; a text
/// without an automaton; a text without an `ERROR`, which no program could violate.
pub fn parse(text: &str) -> Result<Vec<Automaton>, AutomatonError> {
    let found = if cpachecker::is_of_cpachecker(text) { cpachecker::parse(text)? } else { own(text)? };
    let violates = |t: &Transition| matches!(t.to, Successor::Error(_));
    match found.iter().flat_map(|a| &a.states).any(|s| s.transitions.iter().any(violates)) {
        true => Ok(found),
        false if found.is_empty() => {
            Err(AutomatonError { line: 1, reason: "there is no automaton; 'automaton NAME' begins one".into() })
        }
        false => Err(AutomatonError {
            line: 1,
            reason: "no transition leads to ERROR, so nothing could violate the specification".into(),
        }),
    }
}

/// Parses the automata of a text in our syntax.
fn own(text: &str) -> Result<Vec<Automaton>, AutomatonError> {
    let mut found: Vec<Automaton> = Vec::new();
    let mut draft: Option<Draft> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        let (head, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if head.is_empty() || head.starts_with('#') {
            continue;
        }
        if head == "automaton" {
            found.extend(draft.take().map(Draft::finish).transpose()?);
            draft = Some(automaton(Line::new(number, "")?, rest, &found)?);
            continue;
        }
        let Some(draft) = &mut draft else {
            let reason = format!("'{head}' is outside of an automaton; 'automaton NAME' begins one");
            return Err(AutomatonError { line: number, reason });
        };
        match head {
            "state" => draft.state(Line::new(number, rest)?)?,
            // A path is not an expression.
            "line" => {
                let (place, rest) = rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
                let line = Line::new(number, rest)?;
                let event = line_event(&line, place)?;
                draft.transition(line, event)?;
            }
            _ => {
                let mut line = Line::new(number, line)?;
                let event = event(&mut line)?;
                draft.transition(line, event)?;
            }
        }
    }
    found.extend(draft.take().map(Draft::finish).transpose()?);
    Ok(found)
}

/// Parses what follows `automaton`.
fn automaton(line: Line, rest: &str, others: &[Automaton]) -> Result<Draft, AutomatonError> {
    let name = rest.split('#').next().unwrap_or("").trim();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || !name.chars().all(fits) {
        return Err(line.error("an automaton needs a name of letters, digits, '-', '_' and '.': automaton locks"));
    }
    if others.iter().any(|a| a.name == name) {
        return Err(line.error(format!("there is already an automaton {name}")));
    }
    if others.len() == MAX_NUMBER {
        return Err(line.error(format!("there are more than {MAX_NUMBER} automata")));
    }
    Ok(Draft { line: line.number, name: name.to_string(), states: Vec::new(), initial: None, open: Vec::new() })
}

fn line_event(line: &Line, place: &str) -> Result<Event, AutomatonError> {
    let (file, number) = match place.rsplit_once(':') {
        Some((file, number)) => (Some(file.to_string()), number),
        None => (None, place),
    };
    let number = number.parse().ok().filter(|n| *n > 0 && file.as_deref() != Some(""));
    let number = number.ok_or_else(|| line.error("a line is 'line 17' or 'line main.c:17'"))?;
    Ok(Event::Line { file, line: number })
}

fn event(line: &mut Line) -> Result<Event, AutomatonError> {
    if line.keyword("exit") {
        return Ok(Event::Exit);
    }
    if !line.keyword("call") {
        return Err(
            line.expected("an event (call FUNCTION, line [FILE:]NUMBER, exit), 'state NAME' or 'automaton NAME'")
        );
    }
    let mut names = Vec::new();
    loop {
        match line.peek() {
            Some(Token::Word(name)) if !name.contains(['[', ']']) => names.push(name.clone()),
            _ => return Err(line.expected("the name of a function")),
        }
        line.next();
        if line.mark("(") && !line.mark(")") {
            return Err(line.expected("')'"));
        }
        if !line.mark(",") {
            return Ok(Event::Call(names));
        }
    }
}

impl Draft {
    fn state(&mut self, mut line: Line) -> Result<(), AutomatonError> {
        let name = match line.next() {
            Some(Token::Word(name)) if matches!(name.as_str(), "ERROR" | "STOP" | "initial") => {
                return Err(line.error(format!("{name} cannot be the name of a state")));
            }
            Some(Token::Word(name)) => name,
            _ => return Err(line.error("a state needs a name: state Locked")),
        };
        if self.states.iter().any(|s| s.name == name) {
            return Err(line.error(format!("there is already a state {name}")));
        }
        if self.states.len() == MAX_NUMBER {
            return Err(line.error(format!("the automaton {} has more than {MAX_NUMBER} states", self.name)));
        }
        if line.keyword("initial") {
            if let Some(first) = self.initial {
                let first = &self.states[first].name;
                return Err(line.error(format!("an automaton has only one initial state, which is {first}")));
            }
            self.initial = Some(self.states.len());
        }
        if line.peek().is_some() {
            return Err(line.expected("'initial' or the end of the line"));
        }
        self.states.push(State { name, transitions: Vec::new() });
        Ok(())
    }

    /// Parses what follows the event of a transition.
    fn transition(&mut self, mut line: Line, event: Event) -> Result<(), AutomatonError> {
        let Some(state) = self.states.len().checked_sub(1) else {
            return Err(line.error("a transition must follow its state; 'state NAME' begins one"));
        };
        let condition = if line.keyword("if") { Some(line.condition()?) } else { None };
        let assumption = if line.keyword("assume") { Some(line.condition()?) } else { None };
        let arguments = [&condition, &assumption].into_iter().flatten().any(Expr::has_arguments);
        if arguments && !matches!(event, Event::Call(_)) {
            return Err(line.error("$1 is an argument of a call, but this event is not a call"));
        }
        if !line.mark("->") {
            let wanted = match (&condition, &assumption) {
                (None, None) => "'if CONDITION', 'assume CONDITION' or '->'",
                (Some(_), None) => "an operator, 'assume CONDITION' or '->'",
                _ => "an operator or '->'",
            };
            return Err(line.expected(wanted));
        }
        let Some(Token::Word(to)) = line.next() else {
            return Err(line.error("after '->' comes the name of a state, ERROR \"what is wrong\", or STOP"));
        };
        let to = match to.as_str() {
            "STOP" => Successor::Stop,
            "ERROR" => Successor::Error(match line.peek().cloned() {
                Some(Token::Text(text)) => {
                    line.next();
                    text
                }
                _ => format!("{event} in state {}", self.states[state].name),
            }),
            _ => {
                self.open.push((state, self.states[state].transitions.len(), to));
                Successor::Stop
            }
        };
        if line.peek().is_some() {
            return Err(line.expected("the end of the line"));
        }
        self.states[state].transitions.push(Transition { line: line.number, event, condition, assumption, to });
        Ok(())
    }

    fn finish(mut self) -> Result<Automaton, AutomatonError> {
        let name = self.name;
        let Some(initial) = self.initial else {
            let reason = match self.states.first() {
                Some(first) => {
                    format!("the automaton {name} has no initial state; write 'state {} initial'", first.name)
                }
                None => format!("the automaton {name} has no states; 'state NAME initial' begins the first"),
            };
            return Err(AutomatonError { line: self.line, reason });
        };
        for (state, i, to) in self.open {
            let Some(index) = self.states.iter().position(|s| s.name == to) else {
                let names = near(&to, self.states.iter().map(|s| s.name.clone()).collect());
                let reason = format!("the automaton {name} has no state {to}; states: {names}, ERROR, STOP");
                return Err(AutomatonError { line: self.states[state].transitions[i].line, reason });
            };
            self.states[state].transitions[i].to = Successor::State(index);
        }
        Ok(Automaton { name, states: self.states, initial })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Expr;

    const HEAD: &str = "automaton a\nstate S initial\n";

    fn error(text: &str) -> String {
        parse(text).expect_err(text).to_string()
    }

    #[test]
    fn every_form_is_read() {
        let text = "# locks\nautomaton locks # one\n state A initial\n  call f, g() if $1 > x.y[2] -> B # more\n\
                    line d/m-1.c:17 assume !(x == -1) -> A\n line 3 -> STOP\nstate B\n exit -> ERROR \"# never\"\n\
                    automaton b\nstate A initial\ncall h -> ERROR";
        let read = parse(text).expect("automata");
        let events: Vec<String> =
            read.iter().flat_map(|a| &a.states).flat_map(|s| &s.transitions).map(|t| t.event.to_string()).collect();
        assert_eq!(events, ["call f, g", "line d/m-1.c:17", "line 3", "exit", "call h"]);
        let tos: Vec<&Successor> =
            read.iter().flat_map(|a| &a.states).flat_map(|s| &s.transitions).map(|t| &t.to).collect();
        let violation = |what: &str| Successor::Error(what.into());
        let expected = [
            Successor::State(1),
            Successor::State(0),
            Successor::Stop,
            violation("# never"),
            violation("call h in state A"),
        ];
        assert_eq!(tos, expected.iter().collect::<Vec<_>>());
        assert_eq!(crate::automaton::functions(&read).into_iter().collect::<Vec<_>>(), ["f", "g", "h"]);
    }

    #[test]
    fn operators_bind_as_in_c() {
        let condition = |text: &str| {
            let read = parse(&format!("{HEAD}call f if {text} -> ERROR")).expect("an automaton");
            read[0].states[0].transitions[0].condition.clone().expect("a condition")
        };
        let same = |a: &str, b: &str| assert_eq!(condition(a), condition(b), "{a}, {b}");
        same("1 + 2 * 3 == x && y || !z", "(((1 + (2 * 3)) == x) && y) || (!z)");
        same("a - b - c < d & e", "(((a - b) - c) < d) & e");
        same("-a * b % 7 >= 0x10", "(((-a) * b) % 7) >= 0x10");
        assert_eq!(condition("NULL"), Expr::Number(0, false));
    }

    #[test]
    fn errors_name_the_line_and_what_would_be_right() {
        let in_state = |text: &str| error(&format!("{HEAD}{text}\n exit -> ERROR"));
        assert_eq!(error(""), "1: there is no automaton; 'automaton NAME' begins one");
        assert_eq!(error("\nstate A"), "2: 'state' is outside of an automaton; 'automaton NAME' begins one");
        assert!(error("automaton").starts_with("1: an automaton needs a name"));
        assert_eq!(
            error("automaton a\nexit -> ERROR"),
            "2: a transition must follow its state; 'state NAME' begins one"
        );
        assert_eq!(
            error("automaton a\nstate S\nexit -> ERROR"),
            "1: the automaton a has no initial state; write 'state S initial'"
        );
        assert!(error(&format!("{HEAD}exit -> STOP")).contains("no transition leads to ERROR"));
        assert_eq!(in_state("state S"), "3: there is already a state S");
        assert_eq!(in_state("state T initial"), "3: an automaton has only one initial state, which is S");
        assert_eq!(in_state("call f -> T"), "3: the automaton a has no state T; states: S, ERROR, STOP");
        assert_eq!(
            in_state("call f"),
            "3: 'if CONDITION', 'assume CONDITION' or '->' is expected, not the end of the line"
        );
        assert_eq!(in_state("call 3 -> S"), "3: the name of a function is expected, not '3'");
        assert_eq!(in_state("line x -> S"), "3: a line is 'line 17' or 'line main.c:17'");
        assert_eq!(in_state("line 3 if $1 -> S"), "3: $1 is an argument of a call, but this event is not a call");
        assert_eq!(in_state("call f if x / y -> S"), "3: only division by a number other than 0 is supported");
        assert_eq!(in_state("call f if x = 3 -> S"), "3: '=' has no meaning here");
        assert_eq!(in_state("call f if (x -> S"), "3: ')' is expected, not '->'");
        assert_eq!(in_state("call f if 010 -> S"), "3: '010' is not a number; numbers are written 17 or 0x11");
        assert_eq!(in_state("call f -> ERROR \"x"), "3: an unterminated string: a \" is missing");
        assert!(in_state("call f if p->x == 3 -> S").starts_with("3: 'p->': conditions cannot follow pointers"));
        assert_eq!(in_state("call f -> S S"), "3: the end of the line is expected, not 'S'");
        assert!(in_state("goto f").starts_with("3: an event (call FUNCTION, line [FILE:]NUMBER, exit), "));
        assert!(in_state(&format!("call f if {}x -> S", "(".repeat(100))).contains("nested more than 60 levels deep"));
    }
}
