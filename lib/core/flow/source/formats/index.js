import { extname } from 'node:path';

import { offered } from '../../../ground/addons.js';
import { accepts as acceptsUrl } from './url.js';

/** @import { FlowFormat } from '../types.js' */

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
  ...offered('flowFormats'),
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
