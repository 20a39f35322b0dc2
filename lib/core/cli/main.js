import { readFileSync } from 'node:fs';

import { ERRORS } from '../ground/errors.js';
import { EXIT_CODES, describeReasons, exitCode, reasonOf } from '../ground/exit-codes.js';
import { joinedAddons } from '../ground/join-addon.js';
import { dependencyError, openFilesError, workingFolder } from '../ground/system-errors.js';
import { likelyRuns, likelySmall } from './commands/index.js';
import { Shutdown } from './exit-process.js';
import { columnsOf, ignoreStreamErrors, print, printMessage } from './output.js';
import { printsVersion } from './version.js';

/** @import { CommandModule, Io } from './types.js' */
/** @import { EngineThread } from './engine/engine-thread.js' */

/**
 * Runs the command: reads its arguments, runs the command that they name and prints errors.
 * @param {string[]} argv as in process.argv
 * @param {Io} io
 * @param {Shutdown} [shutdown] collects what has to be closed before the process ends
 * @param {object} [options]
 * @param {boolean} [options.ownsProcess] the process has no other purpose: its arguments, which may be secrets, are
 *   hidden from lists of processes, and the thread of a likely run starts before the flags are read
 * @param {unknown} [options.refusal] why the command cannot begin
 * @returns {Promise<number>} the exit code
 */
export async function main(argv, io, shutdown = new Shutdown(), { ownsProcess = false, refusal } = {}) {
  ignoreStreamErrors(io.stdout, io.stderr);
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  /** @type {string | undefined} */
  let name;
  try {
    const args = argv.slice(2);
    if (printsVersion(args)) return exitCode(await print(`${version}\n`, io));
    await checkAddons(refusal);
    const thread = ownsProcess ? await beginProcess(args, shutdown) : undefined;
    const [{ readArguments }, commands] = await Promise.all([
      import('./options.js'),
      import('./commands/index.js').then(({ loadCommands }) => loadCommands(args)),
    ]);
    const columns = columnsOf(io.stdout);
    const request = readArguments(args, { version, commands, env: io.env, columns, cwd: () => workingFolder(io) });
    if ('text' in request) return exitCode(await print(request.text, io));
    for (const warning of request.warnings ?? []) await printMessage(io.stderr, warning);
    name = request.command;
    const { run } = /** @type {CommandModule} */ (commands.find((one) => one.name === name));
    const outcome = await run({ ...request, version, thread }, io, shutdown);
    // A number is the exit code of a program that the command ran.
    if (typeof outcome === 'number') return outcome;
    const reasons = new Set(outcome);
    if (reasons.size > 0)
      await printMessage(io.stderr, `exit code ${exitCode(reasons)}: ${describeReasons(reasons, name)}`);
    return exitCode(reasons);
  } catch (thrown) {
    // An error of the system or of the installation is replaced by one with its cure.
    const error = openFilesError(thrown) ?? dependencyError(thrown) ?? /** @type {any} */ (thrown);
    const reason = reasonOf(error?.code);
    await printMessage(io.stderr, errorText(error, reason, name));
    return EXIT_CODES[reason].code;
  }
}

/**
 * Prepares the process of the command: hides its arguments, and starts the thread of a run; null: it likely needs none.
 * @type {(args: string[], shutdown: Shutdown) => Promise<EngineThread | null | undefined>}
 */
async function beginProcess(args, shutdown) {
  const runs = likelyRuns(args);
  const isSmall = runs && likelySmall(args);
  const thread = runs && !isSmall ? await startThread(shutdown) : undefined;
  const { hideArguments } = await import('./hide-arguments.js');
  hideArguments(args);
  return isSmall ? null : thread;
}

/** Refuses add-ons of other packages. @type {(refusal: unknown) => Promise<void>} */
async function checkAddons(refusal) {
  if (refusal !== undefined) throw refusal;
  if (joinedAddons().length > 0) (await import('./same-names.js')).refuseNamesOfCommand();
}

/** @type {(shutdown: Shutdown) => Promise<EngineThread>} */
async function startThread(shutdown) {
  const { EngineThread } = await import('./engine/engine-thread.js');
  const thread = new EngineThread();
  shutdown.add(thread.close);
  return thread;
}

/** Internal errors whose cause is the system or the installation: a stack would show only which file met them first. */
const WITHOUT_STACK = ['E_OPEN_FILES', 'E_DEPENDENCY'];

/**
 * The text for people. `name` is that of the command; an error in the flags brings it, since no request has it then.
 * @type {(error: any, reason: import('../ground/exit-codes.js').Reason, name?: string) => string}
 */
function errorText(error, reason, name = error?.command) {
  const hasStack = reason === 'internal' && !WITHOUT_STACK.includes(error?.code);
  const text = hasStack ? (error?.stack ?? String(error)) : error.message;
  const lines = text.split('\n');
  const title = headlineOf(error);
  const head = title ? [title, ...lines.map((/** @type {string} */ line) => `  ${line}`)] : lines;
  const hint =
    reason === 'usage' ? [`see bench-rest ${name === undefined || name === 'run' ? '' : `${name} `}--help`] : [];
  return [...head, ...hint].join('\n');
}

/** The line above the problems; some commands have their own. @type {(error: any) => string | undefined} */
function headlineOf(error) {
  return error?.headline ?? ERRORS[error?.code]?.headline;
}
