#!/usr/bin/env node
import { openFilesError } from '../lib/core/ground/system-errors.js';

const INTERNAL = 70;

/** Why the process would end although no command has ended it. @type {unknown} */
let reason = new Error('the command ended without a result');
// if the limit of open files is reached, Node.js can throw the error of an import here, and never settle its promise
process.on('uncaughtException', (error) => {
  process.exitCode = INTERNAL;
  if (!openFilesError(error)) fail(error);
  reason = error;
});
// a command ends by process.exit(): here a thread or an import has ended without an event, and nothing else is pending
process.on('beforeExit', () => fail(reason));

// not static imports: these can fail if the limit of open files is very low
start().catch(fail);

async function start() {
  const { printVersion, printsVersion } = await import('../lib/core/cli/version.js');
  if (printsVersion(process.argv.slice(2)) && (await printVersion(process.stdout))) process.exit(0);
  // those of other packages come before the core, whose tables are made of what all offer
  const { joinNamedAddons } = await import('../lib/core/cli/named-addons.js');
  const { args, refusal, isOwnCode } = await joinNamedAddons(process.argv.slice(2), process);
  process.argv.splice(2, Infinity, ...args);
  // not in a clone
  if (isOwnCode && import.meta.url.includes('/node_modules/'))
    (await import('../lib/core/process/compile-cache.js')).keepCompiled();
  await import('../lib/addons-of-command.js');
  const [{ main }, { Shutdown, exitProcess }] = await Promise.all([
    import('../lib/core/cli/main.js'),
    import('../lib/core/cli/exit-process.js'),
  ]);
  const shutdown = new Shutdown();
  const code = await main(process.argv, process, shutdown, { ownsProcess: true, refusal });
  await exitProcess(code, shutdown);
}

/** @param {any} error */
function fail(error) {
  process.stderr.write(`bench-rest: ${openFilesError(error)?.message ?? error?.stack ?? error}\n`);
  process.exit(INTERNAL);
}
