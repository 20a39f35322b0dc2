import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import Mocha from 'mocha';

import { ROOT } from './command.js';
import { IS_FULL } from './scale.js';
import { here } from './threads-here.js';
import { until } from './until.js';

const run = promisify(execFile);

/**
 * Runs a program that imports bench-rest: with the full counts in a process of its own, else in this one, until it has
 * written what matches.
 *
 * @param {string} file
 * @param {{ cwd: string, writes: RegExp }} options
 * @returns {Promise<{ stdout: string, stderr: string }>}
 */
export function programOutput(file, { cwd, writes }) {
  if (IS_FULL) return run(process.execPath, [file], { cwd });
  const output = { stdout: '', stderr: '' };
  const { log, error } = console;
  console.log = (text) => void (output.stdout += `${text}\n`);
  console.error = (text) => void (output.stderr += `${text}\n`);
  return within(cwd, () =>
    here('workers', async () => {
      await import(pathToFileURL(file).href);
      await until(() => writes.test(output.stdout));
      return output;
    }),
  ).finally(() => Object.assign(console, { log, error }));
}

/**
 * Runs a file of tests in mocha: with the full counts in a process of its own, else in this one.
 *
 * @param {string} file
 * @param {{ cwd?: string }} [options]
 * @returns {Promise<{ passes: number, failures: number }>}
 */
export async function mochaCounts(file, { cwd = ROOT } = {}) {
  if (IS_FULL) {
    const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
    const args = ['--no-config', '--timeout', '60000', '--reporter', 'json', file];
    return JSON.parse((await run(process.execPath, [mocha, ...args], { cwd })).stdout).stats;
  }
  return within(cwd, () =>
    here('workers', async () => {
      const mocha = new Mocha({ timeout: 60_000, reporter: class {} }).addFile(file);
      await mocha.loadFilesAsync();
      return new Promise((resolve) => {
        const runner = mocha.run(() => resolve(runner.stats));
      });
    }),
  );
}

/** @type {<T>(cwd: string, story: () => Promise<T>) => Promise<T>} */
async function within(cwd, story) {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return await story();
  } finally {
    process.chdir(before);
  }
}
