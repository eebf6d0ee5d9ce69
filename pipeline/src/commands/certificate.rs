//! `kerf certificate check`: the checker alone, without any search.

use anyhow::Result;

use super::{Answer, Session, UNKNOWN, check_readable, judge, print, program, work};
use crate::cli::{CertificateArgs, CertificateCheckArgs, CertificateCommand, partial};
use crate::config::Settings;
use crate::run::{self, Certified};
use crate::worker::UserError;

/// Exit status for a certificate that proves nothing; the one of `false`.
const INVALID: u8 = 10;

pub(super) fn run(args: CertificateArgs, session: Session) -> Result<u8> {
    let CertificateCommand::Check(args) = args.command;
    check(args, session)
}

fn check(args: CertificateCheckArgs, session: Session) -> Result<u8> {
    let options = partial(&args.input, Some(&args.property), None);
    let settings = Settings::resolve(args.input.config.as_deref(), options)?;
    let program = program(std::slice::from_ref(&args.file), &settings)?;
    check_readable(&args.certificate)?;
    let worker = work(&settings, &args.show, &session, |reporter| {
        run::check_certificate(&program, &args.certificate, reporter)
    })?;
    let certified = match judge(worker, &settings) {
        Answer::Result(certified) => certified,
        Answer::BadInput(text) => return Err(UserError(text).into()),
        Answer::Nothing(reason) => Certified::Unknown(reason),
    };
    if args.show.json {
        print(&format!("{:#}\n", serde_json::to_value(&certified)?))?;
    } else {
        print(&match &certified {
            Certified::Valid(checked) => format!("CERTIFICATE: valid ({checked})\n"),
            Certified::Invalid(reason) => format!("CERTIFICATE: not valid ({reason})\n"),
            Certified::Unknown(reason) => format!("CERTIFICATE: not decided ({reason})\n"),
        })?;
    }
    Ok(match certified {
        Certified::Valid(_) => 0,
        Certified::Invalid(_) => INVALID,
        Certified::Unknown(_) => UNKNOWN,
    })
}
