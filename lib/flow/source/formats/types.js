/**
 * @import { RecordingOptions } from '../dialects/types.js'
 *
 * @typedef {object} FormatSource where a flow comes from
 * @property {string} from absolute path, URL or `-e`
 * @property {string} cwd
 * @property {number} limitMs time limit of a module
 * @property {string} [argument] of the command line
 * @property {string} [path] absolute, of a file that exists
 * @property {string} [extension] of the argument, lower case
 * @property {boolean} [isFlowName] a format reads files with this extension
 * @property {string} [text] content of the file
 * @property {Record<string, unknown>} [args] for a function that returns the flow
 * @property {string} [evaluate] the text of -e
 * @property {Uint8Array} [bytes] what standard input had
 * @property {string[]} [urls] URLs, or paths of the base URL
 * @property {RecordingOptions} [recording] what of a recording is sent
 * @property {FlowFindings} [findings] what a reader finds out beside the flow
 *
 * @typedef {object} FlowFindings
 * @property {boolean} isRecording the flow is a recording
 * @property {string[]} notices to print: what is not in the flow
 *
 * @typedef {(source: FormatSource) => Promise<unknown>} FlowReader resolves with the raw flow; rejects with E_USAGE or E_FLOW_FILE
 *
 * @typedef {object} FlowFormat
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string[]} extensions of its files, lower case: it accepts all of these
 * @property {(source: FormatSource) => boolean} [accepts] reports whether it reads another source, without reading the text of a file
 * @property {() => Promise<{ read: FlowReader }>} load
 */
export {};
