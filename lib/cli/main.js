import { readFileSync } from 'node:fs';

import { escapeText } from '../report/escape.js';
import { maskText } from '../mask.js';
import { EXIT_CODES, aboutAll, exitCode, reasonOf } from './exit-codes.js';
import { readArguments } from './options.js';
import { forgive, write } from './output.js';

/**
 * What the command needs of the process; tests give another.
 * @typedef {Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'cwd' | 'on' | 'off'>} Io
 */

/** @type {Record<string, () => Promise<(request: any, io: Io) => Promise<Iterable<import('./exit-codes.js').Reason>>>>} */
const COMMANDS = {
  run: async () => (await import('./commands/run.js')).run,
  report: async () => (await import('./commands/report.js')).report,
  merge: async () => (await import('./commands/merge.js')).merge,
  compare: async () => (await import('./commands/compare.js')).compare,
  ab: async () => (await import('./commands/ab.js')).ab,
  serve: async () => (await import('./commands/serve.js')).serve,
};

/**
 * The command line: reads it, does what it says, and tells people what went wrong.
 *
 * @param {string[]} argv as in process.argv
 * @param {Io} io
 * @returns {Promise<number>} the exit code
 */
export async function main(argv, io) {
  forgive(io.stdout, io.stderr);
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  try {
    const asked = readArguments(argv.slice(2), { version, env: io.env, columns: io.stdout.columns ?? 80 });
    if (asked.command === 'print') return exitCode((await write(io.stdout, asked.text)) ? ['notWritten'] : []);
    const perform = await COMMANDS[asked.command]();
    const { warnings = [] } = /** @type {{ warnings?: string[] }} */ (asked);
    for (const warning of warnings) await write(io.stderr, `bench-rest: ${warning}\n`);
    const reasons = new Set(await perform({ ...asked, version }, io));
    if (reasons.size > 0) await write(io.stderr, `bench-rest: exit code ${exitCode(reasons)}: ${aboutAll(reasons)}\n`);
    return exitCode(reasons);
  } catch (error) {
    const reason = reasonOf(/** @type {any} */ (error)?.code);
    await write(io.stderr, explained(error, reason));
    return EXIT_CODES[reason].code;
  }
}

/** What stands above a list of all that is wrong. @type {Record<string, string>} */
const LISTS = {
  E_FLOW: 'the flow is wrong; nothing was sent',
  E_RUN_OPTIONS: 'the options are wrong; nothing was sent',
  E_CONFIG: 'the configuration file is wrong; nothing was sent',
};

/** @type {(error: any, reason: import('./exit-codes.js').Reason) => string} */
function explained(error, reason) {
  const text = reason === 'internal' ? (error?.stack ?? String(error)) : error.message;
  const lines = text.split('\n').map((/** @type {string} */ line) => escapeText(maskText(line)));
  const title = LISTS[error?.code];
  const head = title ? [title, ...lines.map((/** @type {string} */ line) => `  ${line}`)] : lines;
  const hint = reason === 'usage' ? ['bench-rest --help shows what can be said'] : [];
  return `bench-rest: ${[...head, ...hint].join('\n')}\n`;
}
