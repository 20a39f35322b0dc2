import { createRequire } from 'node:module';

import { text } from '../../core/run/options/row.js';

/** @import { RunOption } from '../../core/run/options/types.js' */

const requireHere = createRequire(import.meta.url);

/** Most runs have no log. @type {() => typeof import('./log-format.js')} */
const loadFormats = () => requireHere('./log-format.js');

/** Options of the log of requests. @type {RunOption[]} */
export const LOG = [
  {
    name: 'log',
    flag: '--log <file>',
    ...text,
    check: (v) => typeof v === 'string' && loadFormats().logFormatOf(v) !== undefined,
    reaches: 'writes a file',
    expected: 'a path that ends with .ndjson or .csv',
    about: 'write a line for every request to this file: .ndjson or .csv',
    files: (options) => (options.log === undefined ? [] : loadFormats().logNames(options)),
    labelled: (given, label) => (typeof given === 'string' ? loadFormats().withParts(given, label) : given),
    refusedElsewhere: { kubernetes: 'is a file of the pod, which is lost with it' },
  },
];
