import { makeError } from '../../../ground/errors.js';
import { createProblems } from '../../../ground/problems.js';
import { faultDetails, positionOf } from '../../../text/code-frame.js';
import { lostDigitsText } from '../../../text/lost-digits.js';
import { parseJson, positionsOf } from '../../../text/parse-json.js';
import { parseYaml, yamlPositions } from '../../../text/parse-yaml.js';
import { flowFault, isRecord } from '../../record.js';
import { DIALECTS } from '../dialects/index.js';

/** @import { Problem } from '../../../ground/types.js' */
/** @import { Path } from '../../../text/parse-json.js' */
/** @import { FindPositions, LostDigits } from '../../../text/types.js' */
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
  const positions = (/** @type {Path[]} */ paths) => positionsOf(text, paths);
  return readDocument(value, path, { ...source, positions, notice: lost && noticeOfDigits(path, text, lost) });
}

/** Reads a file of YAML. @type {FlowReader} */
export async function readYaml(source) {
  const { path = '', text = '' } = source;
  const { value, fault, lost } = await parseYaml(text);
  if (fault) throw makeError('E_FLOW_FILE', faultDetails(path, text, fault));
  if (value === null) throw makeError('E_FLOW_FILE', { path, reason: 'is empty', cure: 'write a flow into it' });
  const positions = await yamlPositions(text);
  return readDocument(value, path, { ...source, positions, notice: lost && noticeOfDigits(path, text, lost) });
}

/** @type {(from: string, text: string, lost: LostDigits) => string} */
export function noticeOfDigits(from, text, lost) {
  const { line, column } = positionOf(text, lost.offset);
  return lostDigitsText(`${from}:${line}:${column}`, lost);
}

/**
 * Makes a raw flow of a document of JSON or YAML: the value itself, unless it is of a dialect. `positions` locates its
 * problems; `dialect` is the only one that it can be; `notice` is one of a flow.
 * @throws {Error} E_FLOW_FILE if it cannot be a flow, E_FLOW with all problems of a dialect
 * @type {(value: unknown, from: string, source?: Partial<FormatSource> & { dialect?: Dialect, notice?: string,
 *   positions?: FindPositions }) => Promise<unknown>}
 */
export async function readDocument(value, from, source = {}) {
  const { selection = {}, findings, dialect, cwd = '', notice, positions } = source;
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
    if (findings && notice !== undefined) findings.notices.push(notice);
    if (findings && positions) findings.locate = (list) => locate(list, from, positions, (path) => keysIn(value, path));
    return value;
  }
  const problems = createProblems('E_FLOW');
  if (findings) findings.isRecording = recognized.isRecording ?? false;
  const note = (/** @type {string} */ message) => void findings?.notices.push(`${from}: ${message}`);
  const flow = await recognized.toFlow(value, problems, { selection, notice: note, from, cwd });
  locate(problems.list, from, positions ?? (() => []), keysOf);
  problems.throwIfAny();
  return flow;
}

/**
 * Adds file, line and column to the paths of problems that a message shows: `flow.yaml:3:14: flow.main`.
 * @type {(problems: Problem[], from: string, positions: FindPositions, keysAt: (path: string) => Path) => void}
 */
function locate(problems, from, positions, keysAt) {
  const found = problems.length === 0 ? [] : positions(problems.slice(0, MOST_LOCATED).map(({ path }) => keysAt(path)));
  problems.forEach((problem, i) => {
    const file = found[i] ? `${from}:${found[i].line}:${found[i].column}` : from;
    problem.path = problem.path === '' ? file : `${file}: ${problem.path}`;
  });
}

/**
 * Splits a path: `log.entries[3]` -> log, entries, 3. Of a key with a dot, the nearest part that the text has is found.
 * @type {(path: string) => Path}
 */
function keysOf(path) {
  return [...path.matchAll(/[^.[\]]+/g)].map(([key]) => (/^\d+$/.test(key) ? Number(key) : key));
}

/**
 * Splits a path of a flow as its document has it: the flow may be one operation, or an array of them.
 * @type {(value: unknown, path: string) => Path}
 */
function keysIn(value, path) {
  const keys = keysOf(path).slice(1);
  if (keys[0] !== 'main' || (isRecord(value) && 'main' in value)) return keys;
  return keys.slice(Array.isArray(value) ? 1 : 2);
}
