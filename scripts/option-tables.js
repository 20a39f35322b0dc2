import { loadCommands } from '../lib/core/cli/commands/index.js';
import { SPELLINGS } from '../lib/core/cli/program.js';
import { createProgram } from '../lib/core/cli/options.js';
import { OPTION_GROUPS, RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { otherNames as namesElsewhere } from '../lib/core/run/options/names.js';
import { withoutArgument } from '../lib/core/run/options/row.js';
import { SCHEDULES, unreadBy } from '../lib/core/schedule/index.js';
import { cell, code, escaped, table } from './text.js';

/** @import { Command, Option } from 'commander' */

/** All run options, by group. @returns {string} */
export function runOptions() {
  return OPTION_GROUPS.map(({ group, rows }) => {
    const lines = rows.map(({ name, type, about, flag, default: value, commandDefault }) => [
      code(name),
      code(type),
      value === undefined ? '' : code(JSON.stringify(value)),
      cell(about) + (commandDefault === undefined ? '' : `. Default of the command: ${code(String(commandDefault))}`),
      flag ? code(flag.match(/--[a-z-]+/)?.[0] ?? flag) : '',
    ]);
    return `## ${group}\n\n${table(['option', 'type', 'default', '', 'flag'], lines)}`;
  }).join('\n');
}

/** The names that other tools have for it. @returns {string} */
export function otherNames() {
  const rows = namesElsewhere()
    .names.filter(({ tools }) => tools)
    .map(({ names, tools = '', only, option, flag, hint }) => {
      const row = RUN_OPTIONS.find(({ name }) => name === option);
      const ours = [withoutArgument(row?.flag) ?? flag, option].flatMap((name) => (name ? code(name) : []));
      return [
        names
          .split(' ')
          .map((name) => code(only === 'option' ? name : flagOf(name)))
          .join(' '),
        tools,
        [ours.join(', '), hint && (isCode(hint) ? escaped(hint) : cell(hint))].filter(Boolean).join('. '),
      ];
    });
  return table(['there', 'in', 'here: flag, run option'], rows);
}

/** Reports whether a hint begins with a name: `run.on('end')`, `ca, cert`, `bench-rest merge`. @type {(hint: string) => boolean} */
const isCode = (hint) => !/^\w+ /.test(hint);

/** Flags of other tools that are accepted as ours. @returns {string} */
export function spellings() {
  const rows = Object.entries(SPELLINGS).map(([there, ours]) => [code(`--${there}`), code(`--${ours}`)]);
  return table(['there', 'here'], rows);
}

/** @type {(name: string) => string} */
function flagOf(name) {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** How iterations are scheduled. @returns {string} */
export function loadProfiles() {
  const rows = SCHEDULES.map((entry) => [
    code(entry.name),
    cell(entry.about),
    entry.chosenBy === null ? 'default' : code(entry.chosenBy),
    entry.options.map(code).join(', '),
    unreadBy(entry).map(code).join(', '),
  ]);
  return table(['profile', '', 'chosen by', 'options', 'cannot be combined with'], rows);
}

/** Flags of `bench-rest`, by group. @returns {string} */
export function commandFlags() {
  const groups = optionGroups(createProgram(NO_RUN));
  return groups.map(({ group, options }) => `### ${group}\n\n${flags(options)}`).join('\n');
}

/** The options of a command by their group, those without one last. @type {(command: Command) => { group: string, options: Option[] }[]} */
export function optionGroups(command) {
  /** @type {Map<string, Option[]>} */
  const groups = new Map();
  for (const option of command.options.filter(({ hidden }) => !hidden)) {
    const group = option.helpGroupHeading?.replace(/:$/, '') ?? 'General';
    groups.set(group, [...(groups.get(group) ?? []), option]);
  }
  const sorted = [...groups].sort(([a], [b]) => Number(a === 'General') - Number(b === 'General'));
  return sorted.map(([group, options]) => ({ group, options }));
}

/** Flags of the subcommands, without the run options that `ab` takes too. @returns {string} */
export function subcommandFlags() {
  return createProgram(NO_RUN)
    .commands.map((command) => {
      const own = commandOptions(command);
      return `### ${usageOf(command)}\n\n${cell(command.description())}.\n\n${flags(own)}`;
    })
    .join('\n');
}

/** The options of a command beside the run options. @type {(command: Command) => Option[]} */
export const commandOptions = ({ options }) =>
  options.filter(({ helpGroupHeading, hidden }) => !helpGroupHeading && !hidden);

export const NO_RUN = { version: '', commands: await loadCommands(), env: {}, submit: () => {} };

/** @type {(command: Command) => string} */
export function usageOf(command) {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name().toUpperCase()}${argument.variadic ? '…' : ''}`;
    return argument.required ? name : `[${name}]`;
  });
  return ['bench-rest', command.name(), ...names].join(' ');
}

/** @type {(options: Option[]) => string} */
function flags(options) {
  if (options.length === 0) return '';
  return table(
    ['option', ''],
    options.map((option) => [code(option.flags), cell(option.description)]),
  );
}
