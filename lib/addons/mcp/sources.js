import { resolve } from 'node:path';

import { isCode } from '../../core/flow/source/formats/index.js';
import { makeError } from '../../core/ground/errors.js';
import { isClosedOff } from '../../core/process/confinement.js';
import { faultDetails } from '../../core/text/code-frame.js';
import { formatValue } from '../../core/text/format-value.js';
import { parseJson } from '../../core/text/parse-json.js';
import { parseYaml } from '../../core/text/parse-yaml.js';
import { readResult } from '../saved/read-result.js';
import { isStream } from '../../core/cli/run/open-source.js';
import { usageError } from '../../core/cli/usage-error.js';
import { MOST_KEPT } from './runs.js';

/** @import { FlowInput } from '../../core/flow/source/types.js' */
/** @import { Result } from '../../core/report/types.js' */
/** @import { ToolContext } from './tools.js' */

/** Characters of a flow, or of a document to import, in a call. */
const MOST_TEXT = 1_000_000;

/**
 * Returns the source of a call, which has one of path, flow and urls.
 * @throws {Error} E_USAGE, E_CODE, E_FLOW_FILE
 * @type {(given: { path?: string, flow?: string, urls?: string[] }, context: Pick<ToolContext, 'folder' | 'allowed'>)
 *   => Promise<FlowInput>}
 */
export async function sourceOf({ path, flow, urls }, { folder, allowed }) {
  if ([path, flow, urls].filter((one) => one !== undefined).length !== 1)
    throw usageError('give one of path, flow and urls');
  if (urls !== undefined) return { urls };
  // A text in YAML or JSON is passed on as JSON, which never runs as code.
  if (flow !== undefined) return { bytes: Buffer.from(JSON.stringify(await dataOf(flow))), from: 'the flow' };
  const file = fileAt(/** @type {string} */ (path), folder);
  if (isCode(file) && !allowed.code)
    throw makeError('E_CODE', {
      name: path,
      reason: 'is code, which is not run here',
      cure: 'write the flow as YAML or JSON, or start bench-rest mcp with --allow-code',
    });
  return { argument: file };
}

/**
 * Reads the text of a flow as data: it is never executed.
 * @throws {Error} E_FLOW_FILE, E_USAGE
 * @type {(flow: string) => Promise<unknown>}
 */
async function dataOf(flow) {
  refuseLong(flow);
  const json = parseJson(flow);
  const { value, fault } = json.fault ? await parseYaml(flow) : json;
  if (fault) throw makeError('E_FLOW_FILE', faultDetails('the flow', flow, fault));
  if (typeof value === 'object' && value !== null) return value;
  throw usageError('the text of the flow is neither an object nor an array: write main: [{ get: … }], or pass urls');
}

/** @type {(given: string) => void} */
export function refuseLong(given) {
  if (given.length > MOST_TEXT)
    throw usageError(
      `the text has ${given.length} characters, and at most ${MOST_TEXT} are read: save it, and pass its path`,
    );
}

/**
 * Returns the result of a kept run, `last` or `run-3`, or of a file.
 * @throws {Error} E_USAGE, E_RESULT
 * @type {(name: string, context: ToolContext) => Result}
 */
export function resultAt(name, { runs, folder }) {
  const kept = runs.resultOf(name);
  if (kept) return kept;
  if (/^(last|run-\d+)$/.test(name))
    throw usageError(`there is no result ${name}: the last ${MOST_KEPT} runs are kept`);
  return readResult(fileAt(name, folder), folder);
}

/**
 * Returns the absolute path of a file in `folder`, to which this process has confined itself.
 * @throws {Error} E_USAGE: it is outside, the folder itself, or a stream, such as that of the messages of the client
 * @type {(path: string, folder: string) => string}
 */
export function fileAt(path, folder) {
  const absolute = resolve(folder, path);
  if (absolute === folder) throw usageError(`the path ${formatValue(path)} is the folder itself: use a file below it`);
  if (isStream(absolute)) throw usageError(`${path} is a stream: use a file`);
  if (!isClosedOff(absolute)) return absolute;
  throw usageError(`${path} is outside of ${folder}: use a file below it, or start bench-rest mcp with --folder`);
}
