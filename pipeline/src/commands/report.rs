//! `kerf report`: the page of a verification, from the data that `kerf verify --output` has written.

use anyhow::Result;

use crate::cli::ReportArgs;
use crate::report::html::{Data, PAGE};
use crate::worker::UserError;

pub(super) fn run(args: &ReportArgs) -> Result<u8> {
    let page = Data::read(&args.from)?.page()?;
    let beside = if args.from.is_dir() { args.from.join(PAGE) } else { args.from.with_file_name(PAGE) };
    let path = args.output.as_ref().unwrap_or(&beside);
    std::fs::write(path, page).map_err(|e| UserError(format!("{}: cannot be written: {e}", path.display())))?;
    Ok(0)
}
