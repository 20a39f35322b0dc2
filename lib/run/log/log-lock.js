import { readFile, realpath, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { makeError } from '../../ground/errors.js';

/** The text of a lock is written at once, or its process died meanwhile, ms. */
const WRITE_MS = 10_000;
/** Precision of the clocks of processes and files, ms. */
const CLOCK_MS = 2000;

/**
 * Reserves a log (an absolute path) for a run: two runs would write into one file, or the later one would empty it. A
 * file beside it, `requests.csv.lock`, names the process that writes; that of a process which was killed is replaced.
 * Where none can be written, the log is opened without. The returned function releases it. Throws E_LOG if another run
 * has it.
 * @throws {Error} E_LOG: another run has it
 * @type {(path: string) => Promise<() => Promise<void>>}
 */
async function lockLog(path) {
  const file = `${await withoutLinks(path)}.lock`;
  for (let attempt = 1; ; attempt++) {
    try {
      await writeFile(file, `${process.pid} ${hostname()}\n`, { flag: 'wx' });
      return () => unlink(file).catch(() => {});
    } catch (error) {
      // The log itself cannot be opened either, and says why; or its folder permits no other file.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') return async () => {};
    }
    const owner = await ownerOf(file);
    if (owner !== null || attempt > 1) throw inUse(path, file, owner ?? 'another run');
    await unlink(file).catch(() => {});
  }
}

/**
 * Reserves several logs (absolute paths), or none. The returned function releases them. Throws E_LOG if another run has
 * one of them.
 * @throws {Error} E_LOG: another run has one of them
 * @type {(paths: string[]) => Promise<() => Promise<void>>}
 */
export async function lockLogs(paths) {
  /** @type {(() => Promise<void>)[]} */
  const releases = [];
  const release = async () => void (await Promise.all(releases.splice(0).map((one) => one())));
  try {
    for (const path of paths) releases.push(await lockLog(path));
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

/** @type {(path: string, file: string, owner: string) => Error} */
function inUse(path, file, owner) {
  return makeError('E_LOG', {
    path,
    reason: `${owner} writes it`,
    cure: `use another path, or wait for that run; if there is none, remove ${file}`,
  });
}

/** Resolves links: several paths may lead to one file. @type {(path: string) => Promise<string>} */
async function withoutLinks(path) {
  try {
    return await realpath(path);
  } catch {
    const folder = await realpath(dirname(path)).catch(() => dirname(path));
    return join(folder, basename(path));
  }
}

/** @type {(file: string) => Promise<string | null>} in words; null: its process has ended */
async function ownerOf(file) {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    const [, pid, host] = /^(\d+) (.*)\n/.exec(text) ?? [];
    if (pid === undefined) return Date.now() - mtimeMs < WRITE_MS ? 'another run' : null;
    if (host !== hostname()) return `process ${pid} of ${host}`;
    return isRunning(Number(pid), mtimeMs) ? `process ${pid}` : null;
  } catch (error) {
    // It was released meanwhile.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    return 'another run';
  }
}

/** @type {(pid: number, lockedAt: number) => boolean} */
function isRunning(pid, lockedAt) {
  // In containers, each run may have the same number.
  if (pid === process.pid) return lockedAt > Date.now() - process.uptime() * 1000 - CLOCK_MS;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}
