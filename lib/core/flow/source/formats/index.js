import { extname } from 'node:path';

import { accepts as acceptsUrl } from './url.js';

/** @import { FlowFormat } from '../types.js' */

/** Not among EXTENSIONS, which completion and suggestions offer: a .txt beside a flow is often its output. */
const TARGETS = ['.txt', '.targets', '.jsonl'];

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
    load: async () => ({ read: (await import('./document.js')).readJson }),
  },
  {
    name: 'yaml',
    about: 'a YAML 1.2 file with the core schema; never executed',
    extensions: ['.yaml', '.yml'],
    load: async () => ({ read: (await import('./document.js')).readYaml }),
  },
  {
    name: 'har',
    about: 'a HAR 1.2 recording of a browser or proxy; never executed',
    extensions: ['.har'],
    load: async () => ({ read: (await import('./document.js')).readHar }),
  },
  {
    name: 'curl',
    about: 'a file with curl commands, each an operation; never executed',
    extensions: ['.sh', '.curl'],
    load: async () => ({ read: (await import('../../../../addons/import/formats/imported.js')).readerOf('curl') }),
  },
  {
    name: 'http-file',
    about: 'an HTTP file of the VS Code REST Client or of JetBrains; its scripts are never executed',
    extensions: ['.http', '.rest'],
    load: async () => ({ read: (await import('../../../../addons/import/formats/imported.js')).readerOf('http-file') }),
  },
  {
    name: 'vegeta',
    about: `targets of vegeta, or URLs, one per line (${TARGETS.join(', ')}); each iteration sends the next one`,
    extensions: [],
    accepts: ({ path, extension = '' }) => path !== undefined && TARGETS.includes(extension),
    load: async () => ({ read: (await import('../../../../addons/import/formats/imported.js')).readerOf('vegeta') }),
  },
];

/** The file extensions of flows, such as `.json`, for completion and suggestions. */
export const EXTENSIONS = FORMATS.flatMap(({ extensions }) => extensions);

const CODE_EXTENSIONS = FORMATS.find(({ name }) => name === 'module')?.extensions ?? [];

/** Reports whether reading a file of this name runs it. @type {(name: string) => boolean} */
export function isCode(name) {
  return CODE_EXTENSIONS.includes(extname(name).toLowerCase());
}

/** Reports whether a path or file: URL has the extension of a format, in any case. @type {(name: string) => boolean} */
export function hasFlowExtension(name) {
  return EXTENSIONS.includes(extname(name).toLowerCase());
}
