import { loadCommands } from '../lib/core/cli/commands/index.js';
import { SPELLINGS } from '../lib/core/cli/program.js';
import { createProgram } from '../lib/core/cli/options.js';
import { OPTION_GROUPS, RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { otherNames as namesElsewhere } from '../lib/core/run/options/names.js';
import { withoutArgument } from '../lib/core/run/options/row.js';
import { SCHEDULES, unreadBy } from '../lib/core/schedule/index.js';
import { cell, code, escaped, list, typeText, withDefaultOf } from './text.js';

/** @import { Command, Option } from 'commander' */

/** All run options, by group. @returns {string} */
export function runOptions() {
  return OPTION_GROUPS.map(({ group, rows }) => {
    const lines = rows.map(({ name, type, about, flag, default: value, commandDefault = value }) => {
      const [long] = flag?.match(/--[a-z0-9-]+/) ?? [];
      return /** @type {[string, string]} */ ([
        `${code(name)} (${[long && code(long), typeText(type)].filter(Boolean).join(', ')})`,
        withDefaultOf(about, value) +
          (commandDefault === value ? '' : `. Default of the command: ${code(String(commandDefault))}`),
      ]);
    });
    return `## ${group}\n\n${list(lines)}`;
  }).join('\n');
}

/** Our flags and options with the names that other tools have for them; others need more words. @returns {string} */
export function otherNames() {
  /** @type {Map<string, string[]>} */
  const byOurs = new Map();
  for (const { names, tools, only, option, flag, hint } of namesElsewhere().names) {
    if (!tools || hint) continue;
    const row = RUN_OPTIONS.find(({ name }) => name === option);
    const ours = [withoutArgument(row?.flag) ?? flag, option].flatMap((name) => (name ? code(name) : [])).join(', ');
    const theirs = names.split(' ').map((name) => code(only === 'option' ? name : flagOf(name)));
    byOurs.set(ours, [...(byOurs.get(ours) ?? []), `${theirs.join(' ')} (${tools})`]);
  }
  return list([...byOurs].map(([ours, theirs]) => [ours, theirs.join(', ')]));
}

/** Flags of other tools that are accepted as ours. @returns {string} */
export function spellings() {
  const rows = Object.entries(SPELLINGS).map(([there, ours]) => [code(`--${there}`), code(`--${ours}`)]);
  return list(rows);
}

/** @type {(name: string) => string} */
function flagOf(name) {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** How iterations are scheduled. @returns {string} */
export function loadProfiles() {
  const rows = SCHEDULES.map((entry) => {
    const chosenBy = entry.chosenBy === null ? 'the default' : `chosen by ${code(entry.chosenBy)}`;
    const name = `${code(entry.name)}, ${chosenBy}`;
    return /** @type {[string, string]} */ ([
      name,
      `${escaped(entry.about)}; not with ${unreadBy(entry).map(code).join(', ')}`,
    ]);
  });
  return list(rows);
}

/** Flags of `bench-rest` beside the run options, which have a page. @returns {string} */
export function commandFlags() {
  return flags(createProgram(NO_RUN).options.filter(({ hidden, long }) => !hidden && !OF_RUN.includes(long ?? '')));
}

/** The flags of run options. */
const OF_RUN = RUN_OPTIONS.flatMap(({ flag }) => flag?.match(/--[a-z0-9-]+/) ?? []).map(String);

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

/** @type {(command: Command) => boolean} */
const isExperimental = (command) => command.description().endsWith('(experimental)');

/** Flags of stable subcommands, without those that mean what they do for a run. @returns {string} */
export function subcommandFlags() {
  const program = createProgram(NO_RUN);
  const known = program.options.map(({ flags: text, description }) => `${text} ${description}`);
  return program.commands
    .map((command) => {
      const own = commandOptions(command).filter(
        ({ flags: text, description }) => !known.includes(`${text} ${description}`),
      );
      const list = isExperimental(command) ? '' : flags(own);
      return `### ${usageOf(command)}\n\n${cell(command.description())}.\n\n${list}`;
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
  return list(options.map((option) => [code(option.flags), escaped(option.description)]));
}
