import { readFlow } from '../flow/compile.js';
import { loadFlow } from '../flow/source/load.js';
import { argumentsOf } from './options/layers.js';
import { recordingOptions } from './options/recording.js';

/**
 * @import { ReadFlow } from '../flow/compile.js'
 * @import { FlowInput } from '../flow/source/load.js'
 * @import { FlowOrigin, FlowSource } from './flow-source.js'
 * @import { Layer } from './options/layers.js'
 *
 * @typedef {object} OpenFlow a flow whose source was read
 * @property {unknown} raw as the source has it
 * @property {ReadFlow} read ready to be compiled
 * @property {FlowOrigin & { folder: string }} origin
 * @property {string} from absolute path, URLs, `-e` or `standard input`
 * @property {string[]} notices of the source
 */

/**
 * Reads the flow of a run from its source, with the code that it needs.
 *
 * @param {FlowInput} input
 * @param {Layer[]} above the run options that do not come from the flow, weakest first: some decide how it is read
 * @param {{ cwd?: string, load?: typeof loadFlow }} [options] cwd: of relative paths; default: the working directory
 * @returns {Promise<OpenFlow>}
 * @throws {Error} E_USAGE, E_NOT_FOUND, E_FLOW_FILE, E_NO_MAIN, E_FLOW
 */
export async function openFlow(input, above, { cwd, load = loadFlow } = {}) {
  /** @type {Extract<FlowSource, { cwd?: string }>} */
  const source = { ...input, cwd, args: argumentsOf(above), recording: recordingOptions(above) };
  const { flow: raw, from, folder, isRecording, notices } = await load(source, { cwd, args: source.args });
  const read = readFlow(raw, { folder });
  await read.load();
  return { raw, read, from, notices, origin: { source, isRecording, uncloneable: null, folder } };
}
