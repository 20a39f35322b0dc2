import { EXPERIMENTAL, hintsAt } from '../ground/addons.js';
import { ascendingExitCodes } from '../ground/exit-codes.js';
import { PHASES } from '../ground/phases.js';
import { guidePage, guideTopics, pagesWith, sectionNames, sectionsOn } from './guide.js';
import { unknownName } from './usage-error.js';

/** @import { Command, Help, Option } from 'commander' */
/** @import { CommonOption } from './program.js' */

// The texts of help. Which group a flag is in, and which help lists it, are facts of the flag.

/** One page: the most used flags and two examples. @type {(program: Command) => string} */
export function shortHelp(program) {
  const options = program.options.filter((option) => placeOf(option) === 'short');
  return `Usage: bench-rest [options] <flow file or URL>

${itemsOf(options, program)}

${FIRST_EXAMPLES}
bench-rest --help lists the commands and more options.
`;
}

/** Returns the help of a command: its own flags, and the common ones of groups. @type {(command: Command) => string} */
export function commonHelp(command) {
  const help = helperOf(command);
  const groups = groupsOf(command)
    .map(({ group, options }) => ({ group, options: options.filter((option) => placeOf(option) !== undefined) }))
    .filter(({ options }) => options.length > 0);
  const own = command.parent ? ownPart(command, help) : USAGE;
  if (groups.length === 0) return own;
  const column = Math.max(...groups.flatMap(({ options }) => options.map(({ flags }) => flags.length)));
  const blocks = groups.map(({ group, options }) => block(group, options.map(rowOf), column, help));
  if (command.parent) return [own, ...blocks, furtherHelp(command.parent, help)].join('\n');
  const commands = command.commands.map((one) => ({ term: one.name(), text: one.description() }));
  const width = Math.max(...commands.map(({ term }) => term.length));
  const list = block('Commands', commands, width, help);
  return [own, ...blocks, list, FIRST_EXAMPLES, furtherHelp(command, help)].join('\n');
}

const FIRST_EXAMPLES = `Examples:
  bench-rest -n 1000 -c 50 http://localhost:8000/
  bench-rest -r 500 -t 30s --threshold 'p95<200ms' ./flow.js
`;

const USAGE = `Usage: bench-rest [options] <flow file or URL>
       bench-rest <command> [options]
`;

/** What a command has beside the flags of a run. @type {(command: Command, help: Help) => string} */
function ownPart(command, help) {
  const visible = help.visibleOptions(command).filter(({ helpGroupHeading }) => !helpGroupHeading);
  help.visibleOptions = () => visible;
  return help.formatHelp(command, help);
}

/** @typedef {{ term: string, text: string }} HelpRow */

/** @type {(option: Option) => HelpRow} */
const rowOf = ({ flags, description }) => ({ term: flags, text: description });

/** @type {(title: string, rows: HelpRow[], column: number, help: Help) => string} */
function block(title, rows, column, help) {
  const width = (help.helpWidth ?? 80) - column - MARGINS;
  const lines = rows.map(({ term, text }) => help.formatItem(term, column, inOneLine(text, width), help));
  return `${title}:\n${lines.join('\n')}\n`;
}

/** Spaces before a term, and between it and its text. */
const MARGINS = 4;

/**
 * Returns the longest beginning of a description that fits and ends with a clause, with its default, and an asterisk if
 * it is experimental.
 * @type {(text: string, width: number) => string}
 */
function inOneLine(text, width) {
  const isExperimental = text.includes(EXPERIMENTAL);
  const [value = ''] = / \(default: [^)]*\)/.exec(text) ?? [];
  const end = isExperimental ? `${value} *` : value;
  const [about] = text.replace(EXPERIMENTAL, '').replace(value, '').split('; ');
  const clauses = [...about.matchAll(/[:,]\s|\s\(|$/g)].map(({ index }) => about.slice(0, index));
  const fitting = clauses.filter((one) => one.length + end.length <= width && isWhole(one));
  return (fitting.at(-1) ?? about) + end;
}

/** Reports whether all quotes and parentheses of a text are closed. @type {(text: string) => boolean} */
function isWhole(text) {
  const count = (/** @type {string} */ mark) => text.split(mark).length - 1;
  return count("'") % 2 === 0 && count('(') === count(')');
}

/** @type {(program: Command, help: Help) => string} */
function furtherHelp(program, help) {
  const rows = [
    { term: 'bench-rest help <group>', text: `all flags of a group: ${groupNames(program).join(' ')}` },
    { term: 'bench-rest help <topic>', text: `a topic of the guide, such as ${SOME_TOPICS}` },
    { term: 'bench-rest --help-all', text: 'everything, with examples and exit codes' },
    { term: '*', text: 'experimental: may change or go in a minor version' },
  ];
  const column = rows[0].term.length;
  return `More:\n${rows.map(({ term, text }) => help.formatItem(term, column, text, help)).join('\n')}\n`;
}

/** The most used topics of the guide. */
const SOME_TOPICS = 'flows, tokens or hooks';

/** All commands and flags, examples and exit codes. @type {(program: Command) => string} */
export function wholeHelp(program) {
  const help = helperOf(program);
  return `${help.formatHelp(program, help)}${OPPOSITES}${EXAMPLES}\n${exitCodes()}`;
}

/** @type {() => string} */
function exitCodes() {
  const rows = ascendingExitCodes().map(({ code, about }) => `${String(code).padStart(5)}  ${about}\n`);
  return `Exit codes:\n${rows.join('')}`;
}

const OPPOSITES = `
--no-NAME is the opposite of each run option without a value, such as
--no-strict: it switches off what a configuration file or a flow turns on.
`;

/**
 * Explains a command, a group of flags, a page of the guide, the exit codes, a flag, also by the name of its option, a
 * section of the guide, or names the pages that have a word.
 * @throws {Error} E_USAGE: it is none of these
 * @type {(name: string, program: Command) => string}
 */
export function helpOn(name, program) {
  const command = name === 'run' ? program : program.commands.find((one) => one.name() === name);
  if (command) return printedHelp(command);
  const group = groupsOf(program).find((one) => one.group.toLowerCase() === name.toLowerCase());
  const topic = name.replace(/^guide\//, '');
  const hasPage = guideTopics().includes(topic);
  const page = hasPage ? `The page of the guide: bench-rest help guide/${topic}\n` : '';
  if (group) return `${group.group}:\n${itemsOf(group.options, program)}\n${OPPOSITES}${page}`;
  if (hasPage) return guidePage(topic, helperOf(program));
  if (/^exit[- ]codes?$/i.test(name)) return exitCodes();
  const option = program.options.find((one) => [one.attributeName(), one.long?.slice('--'.length)].includes(name));
  if (option) return optionPage(option, program);
  const found = sectionsOn(topic, helperOf(program));
  if (found !== undefined) return found;
  throw unknownName('topic', name, [...helpTopics(program), ...sectionNames()]);
}

/** A flag, and the pages of the guide that have it. @type {(option: Option, program: Command) => string} */
function optionPage(option, program) {
  return `${itemsOf([option], program)}\n${pagesWith(new RegExp(`${option.long}(?![\\w-])`, 'g'))}`;
}

/** The help with the texts that a command adds to it. @type {(command: Command) => string} */
function printedHelp(command) {
  let printed = '';
  command.configureOutput({ writeOut: (part) => (printed += part) }).outputHelp();
  return printed;
}

/** Lists what help explains: commands, groups of flags, pages of the guide. @type {(program: Command) => string[]} */
export function helpTopics(program) {
  const commands = program.commands.map((one) => one.name());
  return [...new Set(['run', ...commands, ...groupNames(program), ...guideTopics()])];
}

/** @type {(program: Command) => string[]} */
const groupNames = (program) => groupsOf(program).map(({ group }) => group.toLowerCase());

/**
 * Returns the flags of a command by their group, without those that have none.
 * @type {(command: Command) => { group: string, options: Option[] }[]}
 */
function groupsOf(command) {
  /** @type {Map<string, Option[]>} */
  const groups = new Map();
  for (const option of command.options.filter(({ hidden, helpGroupHeading }) => !hidden && helpGroupHeading)) {
    const group = option.helpGroupHeading?.replace(/:$/, '') ?? '';
    groups.set(group, [...(groups.get(group) ?? []), option]);
  }
  return [...groups].map(([group, options]) => ({ group, options }));
}

/** @type {(option: Option) => CommonOption['inHelp']} */
const placeOf = (option) => /** @type {CommonOption} */ (option).inHelp;

/** @type {(options: Option[], program: Command) => string} */
function itemsOf(options, program) {
  const help = helperOf(program);
  const column = Math.max(...options.map(({ flags }) => flags.length));
  return options
    .map((option) => help.formatItem(option.flags, column, help.optionDescription(option), help))
    .join('\n');
}

/** @type {(command: Command) => Help} */
function helperOf(command) {
  const help = command.createHelp();
  help.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() });
  return help;
}

export const EXAMPLES = `
Examples:
  bench-rest -n 1000 -c 50 http://localhost:8000/             GET a URL
  bench-rest -n 1000 -b '{"a":1}' -T json http://localhost:8000/   POST JSON
  bench-rest -n 1000 -c 50 ./flow.js                          run a flow: .js .mjs .cjs .ts .json .yaml
  bench-rest -r 500 -t 30s -c 100 ./flow.js                   500 iterations per second, regardless of response times
  bench-rest -w auto -W 5s -t 30s -c 200 ./flow.js            all cores, after a warm-up
  bench-rest -n 1000 ./flow.js --base-url http://localhost:3000
  bench-rest -e "{ head: 'http://localhost:8000/' }"          run a flow given on the command line
  bench-rest --debug ./flow.js                                run one iteration and print every exchange
  bench-rest --json -n 10k ./flow.js > result.json            for programs
  bench-rest -t 30s --threshold 'p95<200ms' ./flow.js         fail unless it holds
${hintsAt('example')
  .map((example) => `  ${example}\n`)
  .join('')}
A flow is an array of operations, or an object with ${PHASES.join(', ')}:
  export default { main: [{ put: '/items/#{INDEX}', json: { name: 'n#{INDEX}' } }, { get: '/items/#{INDEX}' }] };
`;
