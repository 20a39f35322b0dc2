import { EXAMPLES } from '../lib/core/cli/help.js';
import { createProgram } from '../lib/core/cli/options.js';
import { ascendingExitCodes } from '../lib/core/ground/exit-codes.js';
import { REPOSITORY } from '../lib/core/ground/package.js';
import { PHASES } from '../lib/core/ground/phases.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { NO_RUN, commandOptions, optionGroups, usageOf } from './option-tables.js';
import { sentence } from './text.js';

/** @import { Command, Option } from 'commander' */

/** The manual page of bench-rest, for groff and mandoc. @returns {string} */
export function manPage() {
  const program = createProgram(NO_RUN);
  const variables = RUN_OPTIONS.filter(({ env }) => env);
  return `.\\" Made from the tables of commands, options and exit codes by npm run generate: change a row, not this file.
.TH BENCH\\-REST 1 "" "bench\\-rest 2" "User Commands"
.SH NAME
bench\\-rest \\- ${roff(program.description())}
.SH SYNOPSIS
.nf
\\fBbench\\-rest\\fR [\\fIoptions\\fR] \\fIflow\\fR|\\fIURL\\fR...
${program.commands.map((command) => `\\fBbench\\-rest ${roff(command.name())}\\fR${argumentsOf(command)}`).join('\n')}
.fi
.SH DESCRIPTION
A flow is a sequence of HTTP requests that one virtual user sends.
It is a file in JavaScript, TypeScript, JSON, YAML or HAR: an array of operations, or an object with ${PHASES.join(', ')}.
A URL is a flow of one request.
The report is printed on stdout; the plan and the progress go to stderr.
.SH COMMANDS
${program.commands.map((command) => entry(`\\fB${roff(command.name())}\\fR`, command.description())).join('\n')}
.SH OPTIONS
${roff('--no-NAME is the opposite of each run option without a value, such as --no-strict: it switches off what a configuration file or a flow turns on.')}
${optionGroups(program)
  .map(({ group, options }) => `.SS ${roff(group)}\n${options.map(optionEntry).join('\n')}`)
  .join('\n')}
${program.commands.map(commandSection).filter(Boolean).join('\n')}
.SH EXIT STATUS
${ascendingExitCodes()
  .map(({ code, about }) => entry(`\\fB${code}\\fR`, about))
  .join('\n')}
.SH ENVIRONMENT
${variables.map(({ env = '', flag = '' }) => entry(`\\fB${roff(env)}\\fR`, `the same as ${flag}`)).join('\n')}
.SH FILES
${entry('\\fB.bench\\-restrc.json\\fR, \\fB.yaml\\fR, \\fB.js\\fR', 'options that are always used, in this or a parent folder; or bench-rest in package.json')}
.SH EXAMPLES
.nf
${roff(EXAMPLES.replace(/^\nExamples:\n/, '').trimEnd())}
.fi
.SH SEE ALSO
${roff(REPOSITORY)} has the guide and the reference.
`;
}

/** @type {(command: Command) => string} */
function commandSection(command) {
  const options = commandOptions(command);
  if (options.length === 0) return '';
  return `.SH OPTIONS OF ${roff(usageOf(command).toUpperCase())}\n${options.map(optionEntry).join('\n')}`;
}

/** @type {(option: Option) => string} */
function optionEntry({ flags, description }) {
  const names = roff(flags)
    .replace(/(\\-){1,2}[\w\\-]+/g, '\\fB$&\\fR')
    .replace(/[<[]([^>\]]+)[>\]]/g, '\\fI$1\\fR');
  return entry(names, description);
}

/** @type {(command: Command) => string} */
function argumentsOf(command) {
  return command.registeredArguments
    .map((argument) => {
      const name = `\\fI${roff(argument.name())}\\fR${argument.variadic ? '...' : ''}`;
      return argument.required ? ` ${name}` : ` [${name}]`;
    })
    .join('');
}

/** A term, as roff, and its text. @type {(term: string, text: string) => string} */
function entry(term, text) {
  return `.TP\n${term}\n${roff(`${sentence(text)}.`)}`;
}

/** Text without meaning for roff. @type {(text: string) => string} */
function roff(text) {
  return text.replace(/\\/g, '\\e').replace(/-/g, '\\-').replace(/…/g, '...').replace(/^[.']/gm, '\\&$&');
}
