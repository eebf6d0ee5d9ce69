//! The code of a harness that makes arguments, and the call.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use frontend_llvm::describe::{Aggregate, CType, Described, Named, TypeId};

use crate::environment::Bounds;

/// Arrays of at most this number of elements are filled one by one, so that each is an input of its own.
const MAX_SINGLE: u64 = 16;

/// The code in the making.
pub(super) struct Values<'a> {
    of: &'a Described,
    bounds: &'a Bounds,
    /// The declarations of the objects, and the statements after them.
    objects_text: String,
    text: String,
    /// The number of blocks in which the next statement is.
    indent: usize,
    /// Functions to which pointers to functions lead.
    pub(super) callbacks: String,
    /// The types of the objects.
    pub(super) objects: Vec<TypeId>,
    /// The inputs in use: the end of the function's name, and the type of its result.
    inputs: BTreeMap<&'static str, &'static str>,
    /// Further functions in use, by their declarations.
    others: HashSet<&'static str>,
    names: HashSet<String>,
}

impl<'a> Values<'a> {
    pub(super) fn new(of: &'a Described, bounds: &'a Bounds) -> Values<'a> {
        let globals = of.globals.iter().map(|(global, _)| global.name.clone());
        let mut names: HashSet<String> = globals.chain([of.name.clone(), "result".into()]).collect();
        // A variable that hides a type would make the type unusable.
        names.extend(of.types.names().map(str::to_string));
        Values {
            of,
            bounds,
            objects_text: String::new(),
            text: String::new(),
            indent: 1,
            callbacks: String::new(),
            objects: Vec::new(),
            inputs: BTreeMap::new(),
            others: HashSet::new(),
            names,
        }
    }

    /// The statements of the harness.
    ///
    /// # Errors
    /// A type cannot be filled, in words.
    pub(super) fn call(&mut self) -> Result<String, String> {
        let of = self.of;
        for (global, _) in self.globals() {
            self.fill(global.ty, &global.name, self.bounds.depth, &global.name)
                .map_err(|why| format!("the variable {}: {why}", global.name))?;
        }
        let mut arguments = Vec::new();
        for (i, parameter) in of.parameters.iter().enumerate() {
            let name = self.unique(&parameter.name);
            let failed = |why: String| format!("the parameter {}: {why}", parameter.name);
            let _ = writeln!(self.objects_text, "    {};", of.types.declaration(parameter.ty, &name));
            let count = of.parameters.get(i + 1).filter(|next| self.counts(next)).map(|next| next.name.clone());
            if let (CType::Pointer(to), true) = (of.types.get(of.types.plain(parameter.ty)), count.is_some()) {
                self.array(*to, &name, self.bounds.depth, &name).map_err(failed)?;
            } else {
                self.fill(parameter.ty, &name, self.bounds.depth, &name).map_err(failed)?;
            }
            let before = i.checked_sub(1).and_then(|i| of.parameters.get(i));
            let is_pointer = |p: &&Named| matches!(of.types.get(of.types.plain(p.ty)), CType::Pointer(_));
            if let Some(array) = before.filter(is_pointer).filter(|_| self.counts(parameter)) {
                self.others.insert("void __VERIFIER_assume(int)");
                self.line(&format!("/* Supposed to be the number of elements of {}. */", array.name));
                let n = self.bounds.max_elements;
                self.line(&format!("__VERIFIER_assume({name} >= 0 && {name} <= {n});"));
            }
            arguments.push(name);
        }
        for (global, _) in self.left_out() {
            self.line(&format!("/* The static variable {} keeps its initial value. */", global.name));
        }
        if of.is_variadic {
            self.line("/* It takes further arguments, which have to be added: no type says what they are. */");
        }
        let call = format!("{}({})", of.name, arguments.join(", "));
        if matches!(of.types.get(of.types.plain(of.result)), CType::Void) {
            self.line(&format!("{call};"));
        } else {
            self.line(&format!("{} = {call};", of.types.declaration(of.result, "result")));
            self.line("(void)result;");
        }
        self.line("/* What must hold afterwards, such as: if (!(...)) reach_error(); */");
        let between = if self.objects_text.is_empty() { "" } else { "\n" };
        Ok(format!("{}{between}{}", self.objects_text, self.text))
    }

    /// The declarations of the functions in use.
    pub(super) fn functions(&self) -> String {
        let inputs = self.inputs.iter().map(|(end, ty)| format!("extern {ty} __VERIFIER_nondet_{end}(void);\n"));
        let mut others: Vec<String> = self.others.iter().map(|declared| format!("extern {declared};\n")).collect();
        others.sort();
        inputs.chain(others).collect()
    }

    /// The variables that are filled: all that the harness can name, if that is wanted.
    pub(super) fn globals(&self) -> impl Iterator<Item = &'a (Named, Option<PathBuf>)> + use<'a> {
        let (of, wanted) = (self.of, self.bounds.globals);
        of.globals.iter().filter(move |(_, file)| wanted && nameable(of, file.as_ref()))
    }

    fn left_out(&self) -> impl Iterator<Item = &'a (Named, Option<PathBuf>)> + use<'a> {
        let (of, wanted) = (self.of, self.bounds.globals);
        of.globals.iter().filter(move |(_, file)| wanted && !nameable(of, file.as_ref()))
    }

    /// Whether a parameter after a pointer is likely to be the number of elements there, by its type and name.
    fn counts(&self, parameter: &Named) -> bool {
        let CType::Base(name) = self.of.types.get(self.of.types.plain(parameter.ty)) else { return false };
        let is_integer = input(name).is_some_and(|(end, _)| !matches!(end, "bool" | "float" | "double" | "char"));
        let name = parameter.name.to_lowercase();
        let words = ["n", "len", "length", "size", "sz", "count", "cnt", "num", "nmemb", "elements"];
        let ends = ["len", "length", "size", "count", "_n", "_num", "elems", "elements"];
        is_integer
            && (words.contains(&&*name)
                || ends.iter().any(|end| name.ends_with(end))
                || name.starts_with("n_")
                || name.starts_with("num_"))
    }

    fn unique(&mut self, name: &str) -> String {
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut unique = plain.clone();
        for i in 2.. {
            if self.names.insert(unique.clone()) {
                break;
            }
            unique = format!("{plain}_{i}");
        }
        unique
    }

    /// Adds a statement.
    fn line(&mut self, statement: &str) {
        let _ = writeln!(self.text, "{}{statement}", "    ".repeat(self.indent));
    }

    /// An expression with an arbitrary value of a base type.
    fn input(&mut self, name: &str) -> Result<String, String> {
        let (end, ty) = input(name).ok_or_else(|| format!("a harness cannot make a value of type {name}"))?;
        self.inputs.insert(end, ty);
        Ok(format!("__VERIFIER_nondet_{end}()"))
    }

    /// Gives `place`, of this type, an arbitrary value. Objects that it leads to are called after `name`.
    fn fill(&mut self, ty: TypeId, place: &str, depth: u32, name: &str) -> Result<(), String> {
        let types = &self.of.types;
        if types.is_argument_list(ty) {
            return Err("it is a list of variable arguments, of which no type says what they are".into());
        }
        let ty = types.plain(ty);
        match types.get(ty) {
            CType::Void => {}
            CType::Enum { .. } if types.bytes(ty) < 4 && !self.of.is_static => {
                return Err(format!(
                    "it is an enumeration of {} bytes, which is declared as one of 4",
                    types.bytes(ty)
                ));
            }
            CType::Base(base) => {
                let value = self.input(base)?;
                self.line(&format!("{place} = {value};"));
            }
            CType::Enum { values, .. } => {
                let signed = values.iter().any(|(_, value)| *value < 0);
                let base = match (types.bytes(ty), signed) {
                    (1, _) => "unsigned char",
                    (8, _) => "unsigned long long",
                    (_, true) => "int",
                    (_, false) => "unsigned int",
                };
                let value = self.input(base)?;
                self.line(&format!("{place} = {value};"));
                if !values.is_empty() && values.len() <= 32 {
                    self.others.insert("void __VERIFIER_assume(int)");
                    let cases: Vec<String> = values.iter().map(|(_, value)| format!("{place} == {value}")).collect();
                    self.line(&format!("__VERIFIER_assume({});", cases.join(" || ")));
                }
            }
            CType::Pointer(to) => self.pointer(*to, place, depth, name)?,
            CType::Array(element, Some(n)) => self.elements(*element, *n, place, depth, name)?,
            CType::Array(_, None) => {
                self.line(&format!("/* {place} has no elements: its length is not in the type. */"))
            }
            CType::Aggregate(aggregate) => self.aggregate(aggregate, place, depth, name)?,
            CType::Function { .. } => return Err("a function is no value".into()),
            CType::Typedef(..) => unreachable!("the type is plain"),
            CType::Unknown(what) => return Err(format!("it has {what}")),
        }
        Ok(())
    }

    fn aggregate(&mut self, aggregate: &Aggregate, place: &str, depth: u32, name: &str) -> Result<(), String> {
        if aggregate.bytes.is_none() {
            return Err(format!("{} is only declared", aggregate.tag.as_deref().unwrap_or("its type")));
        }
        let choice = match aggregate.members.len() {
            n if aggregate.is_union && n > 1 => {
                let choice = self.unique(&format!("{name}_member"));
                let value = self.input("unsigned int")?;
                let _ = writeln!(self.objects_text, "    unsigned {choice};");
                self.line(&format!("{choice} = {value};"));
                Some(choice)
            }
            _ => None,
        };
        for (i, member) in aggregate.members.iter().enumerate() {
            let place = match &member.name {
                Some(field) => format!("{place}.{field}"),
                None => place.to_string(),
            };
            if let Some(choice) = &choice {
                let is_last = i + 1 == aggregate.members.len();
                let condition = if is_last { String::new() } else { format!("if ({choice} == {i}) ") };
                let before = if i > 0 { "} else " } else { "" };
                self.line(&format!("{before}{condition}{{"));
                self.indent += 1;
            }
            self.fill(member.ty, &place, depth, name)?;
            self.indent -= usize::from(choice.is_some());
        }
        if choice.is_some() {
            self.line("}");
        }
        Ok(())
    }

    /// Fills `n` elements of an array.
    fn elements(&mut self, element: TypeId, n: u64, place: &str, depth: u32, name: &str) -> Result<(), String> {
        if n > MAX_SINGLE && !self.is_data(element) {
            // Pointers of all elements lead to the same objects.
            let i = self.unique("i");
            self.line(&format!("for (int {i} = 0; {i} < {n}; {i}++) {{"));
            self.indent += 1;
            self.fill(element, &format!("{place}[{i}]"), depth, name)?;
            self.indent -= 1;
            self.line("}");
            return Ok(());
        }
        if n > MAX_SINGLE {
            self.others.insert("void __VERIFIER_nondet_memory(void *, unsigned long)");
            self.line(&format!("__VERIFIER_nondet_memory({place}, {n} * sizeof {place}[0]);"));
            return Ok(());
        }
        for i in 0..n {
            self.fill(element, &format!("{place}[{i}]"), depth, name)?;
        }
        Ok(())
    }

    /// Whether any bytes are a value of a type.
    fn is_data(&self, ty: TypeId) -> bool {
        let types = &self.of.types;
        match types.get(types.plain(ty)) {
            CType::Base(name) => !name.contains("ool"),
            CType::Array(element, _) => self.is_data(*element),
            CType::Aggregate(aggregate) => {
                aggregate.bytes.is_some() && aggregate.members.iter().all(|member| self.is_data(member.ty))
            }
            _ => false,
        }
    }

    /// Lets a pointer be null or lead to an object.
    fn pointer(&mut self, to: TypeId, place: &str, depth: u32, name: &str) -> Result<(), String> {
        let types = &self.of.types;
        let plain = types.plain(to);
        if depth == 0 {
            self.line(&format!("{place} = 0; /* deeper than --depth */"));
            return Ok(());
        }
        match types.get(plain) {
            CType::Function { result, parameters, is_variadic } => {
                let callback = self.callback(*result, parameters, *is_variadic, name)?;
                let choice = self.input("_Bool")?;
                self.line(&format!("{place} = {choice} ? {callback} : 0;"));
                Ok(())
            }
            CType::Aggregate(Aggregate { tag: Some(tag), .. }) if tag == "_IO_FILE" => {
                self.others.insert("void *fopen(const char *, const char *)");
                self.line(&format!("{place} = fopen(\"input\", \"r+\");"));
                Ok(())
            }
            CType::Aggregate(aggregate) if aggregate.bytes.is_none() => {
                let what = aggregate.tag.as_deref().unwrap_or("its type");
                self.line(&format!("{place} = 0; /* {} {what} is only declared */", aggregate.keyword()));
                Ok(())
            }
            CType::Aggregate(_) => {
                let object = self.unique(&format!("{name}_object"));
                self.objects.push(to);
                let _ = writeln!(self.objects_text, "    {};", types.declaration(to, &object));
                self.fill(to, &object, depth - 1, name)?;
                let choice = self.input("_Bool")?;
                self.line(&format!("{place} = {choice} ? &{object} : 0;"));
                Ok(())
            }
            CType::Base(base) if base == "char" && self.bounds.max_elements > 0 => {
                let n = self.bounds.max_elements;
                let object = self.unique(&format!("{name}_text"));
                let _ = writeln!(self.objects_text, "    char {object}[{}];", n + 1);
                self.elements(to, n, &object, depth - 1, name)?;
                let choice = self.input("_Bool")?;
                self.line(&format!("{object}[{n}] = 0;"));
                self.line(&format!("{place} = {choice} ? {object} : 0;"));
                Ok(())
            }
            _ => self.array(to, place, depth, name),
        }
    }

    /// Lets a pointer be null or lead to an array.
    fn array(&mut self, element: TypeId, place: &str, depth: u32, name: &str) -> Result<(), String> {
        let types = &self.of.types;
        let is_declared =
            |aggregate: &Aggregate| aggregate.bytes.is_none() || aggregate.tag.as_deref() == Some("_IO_FILE");
        match types.get(types.plain(element)) {
            CType::Aggregate(aggregate) if is_declared(aggregate) => return self.pointer(element, place, depth, name),
            CType::Function { .. } => return self.pointer(element, place, depth, name),
            _ if depth == 0 => return self.pointer(element, place, depth, name),
            _ => {}
        }
        let n = self.bounds.max_elements.max(1);
        let object = self.unique(&format!("{name}_elements"));
        if matches!(types.get(types.plain(element)), CType::Void) {
            let _ = writeln!(self.objects_text, "    unsigned char {object}[{n}];");
            for i in 0..n.min(MAX_SINGLE) {
                let value = self.input("unsigned char")?;
                self.line(&format!("{object}[{i}] = {value};"));
            }
            if n > MAX_SINGLE {
                self.others.insert("void __VERIFIER_nondet_memory(void *, unsigned long)");
                self.line(&format!("__VERIFIER_nondet_memory({object}, {n});"));
            }
        } else {
            self.objects.push(element);
            let _ = writeln!(self.objects_text, "    {};", types.declaration(element, &format!("{object}[{n}]")));
            self.elements(element, n, &object, depth - 1, name)?;
        }
        let choice = self.input("_Bool")?;
        self.line(&format!("{place} = {choice} ? {object} : 0;"));
        Ok(())
    }

    /// A function to which a pointer may lead: it returns any value and does nothing else.
    fn callback(
        &mut self,
        result: TypeId,
        parameters: &[TypeId],
        is_variadic: bool,
        name: &str,
    ) -> Result<String, String> {
        let types = &self.of.types;
        let callback = self.unique(&format!("{name}_callback"));
        let mut list: Vec<String> =
            parameters.iter().enumerate().map(|(i, ty)| types.declaration(*ty, &format!("a{i}"))).collect();
        self.objects.extend(parameters.iter().filter(|ty| !matches!(types.get(types.plain(**ty)), CType::Void)));
        list.extend((is_variadic && !list.is_empty()).then(|| "...".to_string()));
        let list = if list.is_empty() { "void".into() } else { list.join(", ") };
        let value = match types.get(types.plain(result)) {
            CType::Void => String::new(),
            CType::Base(base) => format!("return {};", self.input(base)?),
            CType::Enum { .. } => format!("return {};", self.input("unsigned int")?),
            CType::Pointer(_) => "return 0;".into(),
            _ => {
                return Err(
                    "a function that returns a struct, to which a pointer leads, is for a person to write".into()
                );
            }
        };
        if !matches!(types.get(types.plain(result)), CType::Void) {
            self.objects.push(result);
        }
        let head = types.declaration(result, &format!("{callback}({list})"));
        let _ = writeln!(self.callbacks, "\nstatic {head} {{ {value} }}");
        Ok(callback)
    }
}

/// Whether the harness can name a variable, which is static in this file if there is one.
fn nameable(of: &Described, file: Option<&PathBuf>) -> bool {
    file.is_none_or(|file| of.is_static && *file == of.file)
}

/// The end of the name of the function that yields a value of a base type, and the type of its result.
fn input(base: &str) -> Option<(&'static str, &'static str)> {
    Some(match base {
        "_Bool" | "bool" => ("bool", "_Bool"),
        "char" => ("char", "char"),
        "signed char" => ("schar", "signed char"),
        "unsigned char" => ("uchar", "unsigned char"),
        "short" => ("short", "short"),
        "unsigned short" => ("ushort", "unsigned short"),
        "int" => ("int", "int"),
        "unsigned int" => ("uint", "unsigned int"),
        "long" => ("long", "long"),
        "unsigned long" => ("ulong", "unsigned long"),
        "long long" => ("longlong", "long long"),
        "unsigned long long" => ("ulonglong", "unsigned long long"),
        "__int128" => ("int128", "__int128"),
        "unsigned __int128" => ("uint128", "unsigned __int128"),
        "float" => ("float", "float"),
        "double" | "long double" => ("double", "double"),
        _ => return None,
    })
}
