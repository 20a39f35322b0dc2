import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';

import { makeError } from '../../core/ground/errors.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { LOG_COLUMNS, LOG_FORMATS, logFormatOf } from '../log/log-format.js';
import { isClosedPipe, printMessage, tryWrite } from '../../core/cli/output.js';
import { usageError } from '../../core/cli/usage-error.js';
import { isOneOf, startFile } from '../../core/cli/result/replace-file.js';
import { unwritable } from '../../core/cli/result/unwritable.js';

/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { LogFormat } from '../log/log-format.js' */
/** @import { Io } from '../../core/cli/types.js' */
/** @import { MergeRequest } from './requests.js' */

/** @typedef {{ line: string, time: number }} LogLine */

/** Characters that are written together. */
const CHUNK = 64 * 1024;
/** Characters; no line of a log is longer. */
const LONGEST_LINE = 64 * 1024;
/** Values of CSV that may contain commas. */
const QUOTED = /"[^"]*"/g;

/**
 * Joins logs of requests in the order of time, such as those of workers and shards. Reads a line of each file at a
 * time, so that logs of any size can be joined.
 * @throws {Error} E_RESULT, E_FILE_NOT_FOUND, E_USAGE
 * @type {(request: Omit<MergeRequest, 'command'>, io: Io) => Promise<Set<Reason>>}
 */
export async function mergeLogs({ paths, outputs, ...options }, io) {
  const cwd = workingFolder(io);
  refuseOptionsOfResults(options);
  const files = paths.map((path) => resolve(cwd, path));
  const format = formatOf(files);
  const output = openOutput(outputs, { cwd, files, format }, io);
  try {
    await output.append(format.header);
    for await (const text of chunksOf(merged(files.map((path) => linesOf(path, format, io)))))
      if (!(await output.append(text))) break;
    await output.commit();
  } catch (error) {
    output.discard();
    if (!(error instanceof WriteError)) throw error;
    await printMessage(
      io.stderr,
      makeError('E_RESULT_NOT_WRITTEN', { reason: error.message, cure: 'the log is not complete' }).message,
    );
    return new Set(['notWritten']);
  }
  return new Set();
}

/** The output cannot be written, as on a full disk. */
class WriteError extends Error {}

/** @type {(options: Omit<MergeRequest, 'command' | 'paths' | 'outputs'>) => void} */
function refuseOptionsOfResults({ thresholds, format, full, latency, isPartial, requireValid }) {
  const given = {
    '--threshold': thresholds.length > 0,
    [format === 'json' ? '--json' : '--format']: format !== undefined,
    '--full': full,
    '--latency': latency,
    '--partial': isPartial,
    '--require-valid': requireValid,
  };
  const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
  if (flag !== undefined)
    throw usageError(`${flag} cannot be combined with --log: it is of results, and a log of requests has no figures`);
}

/** @type {(files: string[]) => LogFormat} */
function formatOf(files) {
  const formats = new Set(files.map((path) => logFormatOf(path)));
  const [format] = formats;
  if (formats.size > 1 || format === undefined)
    throw usageError(
      `logs of one format can be joined: pass files that end with ${LOG_FORMATS.map(({ extension }) => extension).join(', or with ')}`,
    );
  return format;
}

/**
 * Opens the file of `-o`, or else standard output. `append` resolves with false if its reader has ended, as head.
 * @type {(outputs: string[], context: { cwd: string, files: string[], format: LogFormat }, io: Io) => { append: (text:
 *   string) => Promise<boolean>, commit: () => Promise<void>, discard: () => void }} append and commit throw WriteError
 */
function openOutput(outputs, { cwd, files, format }, io) {
  const [name, ...others] = outputs;
  if (others.length > 0) throw usageError('joined logs are written to one file: write one -o');
  if (name === undefined)
    return {
      append: async (text) => {
        const error = await tryWrite(io.stdout, text);
        if (error && !isClosedPipe(error)) throw new WriteError(error.message, { cause: error });
        return !error;
      },
      commit: async () => {},
      discard() {},
    };
  const path = resolve(cwd, name);
  if (logFormatOf(path) !== format) throw usageError(`-o ${name}: name a file that ends with ${format.extension}`);
  const pending = startOutput(path, files);
  /** @type {(act: () => void) => void} */
  const attempt = (act) => {
    try {
      act();
    } catch (error) {
      throw new WriteError(`${path}: ${/** @type {Error} */ (error).message}`, { cause: error });
    }
  };
  return {
    append: async (text) => {
      attempt(() => pending.append(text));
      return true;
    },
    commit: async () => attempt(() => pending.commit()),
    discard: () => pending.discard(),
  };
}

/** @type {(path: string, files: string[]) => ReturnType<typeof startFile>} */
function startOutput(path, files) {
  try {
    if (isOneOf(path, files)) throw usageError(`${path} is one of the logs: use another path`);
    return startFile(path);
  } catch (error) {
    throw /** @type {any} */ (error).code === 'E_USAGE' ? error : unwritable(path, /** @type {any} */ (error));
  }
}

/** @type {(path: string, format: LogFormat, io: Io) => AsyncGenerator<LogLine>} */
async function* linesOf(path, format, io) {
  const stream = createReadStream(path, 'utf8');
  const hasHeader = format.header !== '';
  let number = 0;
  try {
    for await (const { line, isWhole } of splitLines(stream)) {
      number++;
      // Of a first line without an end, only its beginning can be compared.
      const isLog = isWhole
        ? format.isFirstLine(line)
        : format.beginning.startsWith(line.slice(0, format.beginning.length));
      if (number === 1 && !isLog) throw malformed(path, 'its columns differ');
      if (line === '' || (hasHeader && number === 1)) continue;
      const time = isWhole ? timeOf(line, format) : null;
      if (time !== null) yield { line: `${line}\n`, time };
      else if (isWhole) throw malformed(path, `line ${number}`);
      else await printMessage(io.stderr, `${path}: its last line is incomplete and left out`);
    }
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    if (code === 'ENOENT') throw makeError('E_FILE_NOT_FOUND', { what: 'file', path, cure: 'check the path' });
    if (String(code).startsWith('E_')) throw error;
    throw makeError('E_RESULT', { path, reason: `cannot be read: ${code}`, cure: 'check the path' });
  } finally {
    stream.destroy();
  }
}

/** @type {(path: string, why: string) => Error} */
function malformed(path, why) {
  return makeError('E_RESULT', { path, reason: `is no log of requests: ${why}`, cure: 'check the path' });
}

/**
 * Splits lines. Unlike `readline`, tells whether the last line has an end.
 * @type {(texts: AsyncIterable<string>) => AsyncGenerator<{ line: string, isWhole: boolean }>}
 */
async function* splitLines(texts) {
  let rest = '';
  for await (const text of texts) {
    const lines = text.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    for (const line of lines) yield { line: line.endsWith('\r') ? line.slice(0, -1) : line, isWhole: true };
    // No line of a log is so long: its beginning suffices to refuse the file, whose rest is not read.
    if (rest.length > LONGEST_LINE) {
      yield { line: rest, isWhole: true };
      return;
    }
  }
  if (rest !== '') yield { line: rest, isWhole: false };
}

/** Reads the first column; null: the line is malformed. @type {(line: string, format: LogFormat) => number | null} */
function timeOf(line, { header, beginning }) {
  const isJson = header === '';
  if (isJson && !(line.startsWith(beginning) && line.endsWith('}'))) return null;
  const from = isJson ? beginning.length : 0;
  const time = Number(line.slice(from, line.indexOf(',')));
  const hasAll = isJson || line.replace(QUOTED, '').split(',').length === LOG_COLUMNS.length;
  return hasAll && time > 0 ? time : null;
}

/**
 * Yields the earliest of the next lines of all files.
 * @type {(files: AsyncGenerator<LogLine>[]) => AsyncGenerator<string>}
 */
async function* merged(files) {
  const next = await Promise.all(files.map(async (lines) => ({ lines, first: (await lines.next()).value })));
  for (;;) {
    let earliest = null;
    for (const file of next) {
      if (file.first && (earliest === null || file.first.time < earliest.first.time)) earliest = file;
    }
    if (earliest === null) return;
    yield earliest.first.line;
    earliest.first = (await earliest.lines.next()).value;
  }
}

/** Joins lines that are written together. @type {(lines: AsyncGenerator<string>) => AsyncGenerator<string>} */
async function* chunksOf(lines) {
  let text = '';
  for await (const line of lines) {
    text += line;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
