import { createRequire } from 'node:module';

import { count, textOf } from '../../core/run/options/row.js';
import { HTTP2 } from './version.js';

/** @import { RunOption } from '../../core/run/options/types.js' */

const requireHere = createRequire(import.meta.url);

/** It reads the flow, which help needs not. @type {() => typeof import('./fit-to-flow.js')} */
const loadFit = () => requireHere('./fit-to-flow.js');

/** @type {RunOption[]} */
export const HTTP2_OPTIONS = [
  {
    name: 'http2',
    flag: '--http2 [mode]',
    inHelp: 'common',
    ...HTTP2,
    default: false,
    read: (given) => ({ true: true, false: false })[textOf(given)] ?? given,
    implied: { text: 'true', values: new RegExp(`^(${HTTP2.schema.enum.join('|')})$`) },
    needsCapability: (v) => v !== false && v !== undefined,
    fit: (...given) => loadFit().fitToFlow(...given),
    describe: (options, flow) => loadFit().describe(options, flow),
    about: `speak HTTP/2 if the server has it (https: URLs), only (fail without it), or prior-knowledge (http: URLs)`,
  },
  {
    name: 'connections',
    isExperimental: true,
    flag: '--connections <n>',
    ...count,
    about: 'share this many connections of HTTP/2 to each server among all virtual users; default: each has its own',
  },
  {
    name: 'streams',
    isExperimental: true,
    flag: '--streams <n>',
    ...count,
    about: 'requests in flight at most on each connection of HTTP/2; default: as many as the server allows',
  },
];
