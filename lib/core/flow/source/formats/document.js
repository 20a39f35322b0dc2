import { makeError } from '../../../ground/errors.js';
import { createProblems } from '../../../ground/problems.js';
import { faultDetails, positionOf } from '../../../text/code-frame.js';
import { lostDigitsText } from '../../../text/lost-digits.js';
import { parseJson, positionsOf } from '../../../text/parse-json.js';
import { parseYaml } from '../../../text/parse-yaml.js';
import { flowFault } from '../../record.js';
import { DIALECTS } from '../dialects/index.js';

/** @import { Problem } from '../../../ground/types.js' */
/** @import { LostDigits } from '../../../text/types.js' */
/** @import { Dialect, FlowReader, FormatSource } from '../types.js' */

/** Problems whose place in the file is searched: a message shows no more. */
const MOST_LOCATED = 100;

/** Reads a file of JSON. @type {FlowReader} */
export async function readJson(source) {
  return readJsonText(source);
}

/** @type {(source: FormatSource & { dialect?: Dialect }) => Promise<unknown>} */
export function readJsonText(source) {
  const { path = '', text = '' } = source;
  const { value, fault, lost } = parseJson(text);
  if (fault) throw makeError('E_FLOW_FILE', faultDetails(path, text, fault));
  return readDocument(value, path, { ...source, notice: lost && noticeOfDigits(path, text, lost) });
}

/** Reads a file of YAML. @type {FlowReader} */
export async function readYaml(source) {
  const { path = '', text = '' } = source;
  const { value, fault, lost } = await parseYaml(text);
  if (fault) throw makeError('E_FLOW_FILE', faultDetails(path, text, fault));
  if (value === null) throw makeError('E_FLOW_FILE', { path, reason: 'is empty', cure: 'write a flow into it' });
  return readDocument(value, path, { ...source, text: undefined, notice: lost && noticeOfDigits(path, text, lost) });
}

/** @type {(from: string, text: string, lost: LostDigits) => string} */
export function noticeOfDigits(from, text, lost) {
  const { line, column } = positionOf(text, lost.offset);
  return lostDigitsText(`${from}:${line}:${column}`, lost);
}

/**
 * Makes a raw flow of a document of JSON or YAML: the value itself, unless it is of a dialect. `text` is that of JSON,
 * where problems of a dialect are located; `dialect` is the only one that it can be; `notice` is one of a flow.
 * @throws {Error} E_FLOW_FILE if it cannot be a flow, E_FLOW with all problems of a dialect
 * @type {(value: unknown, from: string, source?: Partial<FormatSource> & { dialect?: Dialect, notice?: string }) =>
 *   Promise<unknown>}
 */
export async function readDocument(value, from, { text, recording = {}, findings, dialect, cwd = '', notice } = {}) {
  const got = flowFault(value);
  if (got && !dialect) {
    throw makeError('E_FLOW_FILE', {
      path: from,
      reason: `contains ${got}`,
      cure: 'write a URL, an array or an object',
    });
  }
  const recognized = dialect ?? DIALECTS.find(({ recognizes }) => recognizes(value));
  if (!recognized) {
    if (notice !== undefined) findings?.notices.push(notice);
    return value;
  }
  const problems = createProblems('E_FLOW');
  if (findings) findings.isRecording = recognized.isRecording ?? false;
  const note = (/** @type {string} */ message) => void findings?.notices.push(`${from}: ${message}`);
  const flow = await recognized.toFlow(value, problems, { recording, notice: note, from, cwd });
  const places = text === undefined ? [] : placesOf(problems.list, text);
  problems.list.forEach((problem, i) => {
    const file = `${from}${places[i] ?? ''}`;
    problem.path = problem.path === '' ? file : `${file}: ${problem.path}`;
  });
  problems.throwIfAny();
  return flow;
}

/** Locates the first problems by line and column, `:3:14`. @type {(problems: Problem[], text: string) => string[]} */
function placesOf(problems, text) {
  if (problems.length === 0) return [];
  const paths = problems.slice(0, MOST_LOCATED).map(({ path }) => keysOf(path));
  return positionsOf(text, paths).map(({ line, column }) => `:${line}:${column}`);
}

/**
 * Splits a path: `log.entries[3]` -> log, entries, 3. Of a key with a dot, the nearest part that the text has is found.
 * @type {(path: string) => (string | number)[]}
 */
function keysOf(path) {
  return [...path.matchAll(/[^.[\]]+/g)].map(([key]) => (/^\d+$/.test(key) ? Number(key) : key));
}
