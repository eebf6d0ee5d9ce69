//! Events for specification automata: an edge without effect before each call that they match, and one at the program's end.

use super::Lowering;
use super::body::Body;
use super::call::CallSite;
use crate::ir::{Type, Value};
use cfa::ValueFormat;
use cfa::events::ObservedCall;

impl<'m> Lowering<'_, 'm> {
    /// Makes the global variables that automata read part of the program.
    pub(crate) fn watch_variables(&mut self) {
        let Some(wanted) = self.watched.as_ref().map(|w| w.variables.clone()) else { return };
        for g in self.program.globals() {
            let name_in_c = self
                .debug
                .global_parts(g)
                .first()
                .and_then(|part| part.source.name.split(['.', '[']).next().map(str::to_string));
            if wanted.contains(&g.name()) || name_in_c.is_some_and(|name| wanted.contains(&name)) {
                self.global_object(g);
            }
        }
    }

    /// Records which observed functions may be reached through pointers. To be called when everything is lowered.
    pub(crate) fn note_functions(&mut self) {
        if self.watched.is_none() {
            return;
        }
        let mut all: Vec<_> = self.provenance.functions.iter().map(|(f, id)| (*f, *id)).collect();
        all.sort_unstable_by_key(|(_, id)| *id);
        for (f, id) in all {
            if let Some(name) = self.watched_name(f) {
                self.note_formats(f, &name);
                self.events.functions.insert(id, name);
            }
        }
    }

    /// The name of `f` in C, if its calls are events.
    fn watched_name(&self, f: Value<'m>) -> Option<String> {
        let watched = self.watched.as_ref()?;
        self.resolver.names(f).into_iter().find(|name| watched.functions.contains(name))
    }

    /// Records how to interpret the values of the parameters of `f`: as C declares them, or as signed without debug information.
    fn note_formats(&mut self, f: Value<'m>, name: &str) {
        if self.events.formats.contains_key(name) {
            return;
        }
        let params = f.value_type().params();
        let by_type = params.iter().map(|ty| match self.layout.flat(*ty) {
            Ok(flat) if flat.leaves.len() == 1 && ty.is_pointer() => Some(ValueFormat::Pointer),
            Ok(flat) if flat.leaves.len() == 1 => Some(ValueFormat::Signed),
            _ => None,
        });
        let mut formats: Vec<Option<ValueFormat>> = by_type.collect();
        if let Some(declared) = self.debug.parameter_formats(f) {
            // Structures that are passed or returned by value shift the parameters, and functions without a prototype receive numbers that
            // are wider than the parameters: the parameters in LLVM are not those in C.
            let is_same = |(i, ty): (usize, &Type<'m>)| {
                declared[i].is_some_and(|(_, bits)| bits == self.layout.size(*ty) * 8) && formats[i].is_some()
            };
            let same =
                declared.len() == params.len() && f.sret_type(0).is_none() && params.iter().enumerate().all(is_same);
            formats = declared.iter().map(|d| d.map(|(format, _)| format).filter(|_| same)).collect();
        } else if formats.iter().any(Option::is_none) {
            formats.fill(None);
        }
        self.events.formats.insert(name.to_string(), formats);
    }
}

impl<'m> Body<'_, '_, 'm> {
    /// Records a call of `callee` that is about to be lowered, if it is an event. Calls from library models are not events.
    pub(super) fn note_call(&mut self, callee: Value<'m>, site: &CallSite<'m>) {
        if !self.dead && !self.cx.cfa.funcs[self.func].library {
            self.observe(callee, site);
        }
    }

    /// Records a call of `callee` that is about to be lowered, whoever calls it, if it is an event.
    pub(super) fn observe(&mut self, callee: Value<'m>, site: &CallSite<'m>) {
        let Some(function) = self.cx.watched_name(callee) else { return };
        self.cx.note_formats(callee, &function);
        let args = site.args.iter().map(|vals| if let [t] = vals.as_slice() { Some(*t) } else { None }).collect();
        let e = self.skip();
        self.cx.events.calls.insert(e, ObservedCall { function, args });
    }

    /// Records that the program ends here.
    pub(super) fn note_end(&mut self) {
        if self.cx.watched.is_some() {
            let e = self.skip();
            self.cx.events.ends.push(e);
        }
    }
}
