import { extname } from 'node:path';

import { accepts as acceptsUrl } from './url.js';

/** @import { RecordingOptions } from '../dialects/index.js' */

/** The formats of flows; the first that accepts a source is loaded and reads it. @type {FlowFormat[]} */
export const FORMATS = [
  {
    name: 'inline',
    about: 'the text of -e: a URL, JSON, a JavaScript literal or YAML in flow style',
    extensions: [],
    accepts: ({ evaluate }) => evaluate !== undefined,
    load: () => import('./inline.js'),
  },
  {
    name: 'stdin',
    about: 'standard input (-): a URL, JSON, YAML or a JavaScript literal',
    extensions: [],
    accepts: ({ bytes }) => bytes !== undefined,
    load: () => import('./stdin.js'),
  },
  {
    name: 'url',
    about: 'a URL: one GET request per iteration; of several URLs, each iteration requests one',
    extensions: [],
    accepts: acceptsUrl,
    load: () => import('./url.js'),
  },
  {
    name: 'module',
    about: 'a JavaScript module; its default export is the flow or a function that returns it',
    extensions: ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'],
    load: () => import('./module.js'),
  },
  {
    name: 'json',
    about: 'a JSON file; never executed',
    extensions: ['.json'],
    load: () => import('./json.js'),
  },
  {
    name: 'yaml',
    about: 'a YAML 1.2 file with the core schema; never executed',
    extensions: ['.yaml', '.yml'],
    load: () => import('./yaml.js'),
  },
  {
    name: 'har',
    about: 'a HAR 1.2 recording of a browser or proxy; never executed',
    extensions: ['.har'],
    load: async () => ({ read: (await import('./json.js')).readHar }),
  },
];

/** The file extensions of all flow formats, such as `.json`. */
export const EXTENSIONS = FORMATS.flatMap(({ extensions }) => extensions);

const CODE_EXTENSIONS = FORMATS.find(({ name }) => name === 'module')?.extensions ?? [];

/** Reports whether reading a file of this name runs it. @type {(name: string) => boolean} */
export function isCode(name) {
  return CODE_EXTENSIONS.includes(extname(name).toLowerCase());
}

/**
 * Reports whether a path or a file: URL ends with the extension of a flow format, in any case of letters.
 * @type {(name: string) => boolean}
 */
export function hasFlowExtension(name) {
  return EXTENSIONS.includes(extname(name).toLowerCase());
}

/**
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
 * @typedef {(source: FormatSource) => Promise<unknown>} FlowReader resolves with the raw flow; rejects with E_USAGE
 *   or E_FLOW_FILE
 *
 * @typedef {object} FlowFormat
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string[]} extensions of its files, lower case: it accepts all of these
 * @property {(source: FormatSource) => boolean} [accepts] reports whether it reads another source, without reading
 *   the text of a file
 * @property {() => Promise<{ read: FlowReader }>} load
 */
