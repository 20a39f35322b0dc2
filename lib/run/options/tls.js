import { maskAll } from '../../text/mask.js';
import { TLS_PROPERTIES } from '../../tls-properties.js';

/** @import { RunOption } from './row.js' */

/** Flags and texts that the run options have beside the properties of operations. @type {Record<string, Partial<RunOption>>} */
const FLAGS = {
  ca: {
    flag: '--ca <file>',
    repeatable: true,
    refusedInJob: 'is a file of this machine: build an --image that has it, and set NODE_EXTRA_CA_CERTS in it',
  },
  cert: { flag: '--cert <file>', refusedInJob: 'is a file of this machine: build an --image that has it' },
  key: { flag: '--key <file>', env: 'BENCH_REST_KEY', isSecret: true, masked: maskAll },
  pfx: { flag: '--pfx <file>', env: 'BENCH_REST_PFX', isSecret: true, masked: maskAll },
  passphrase: { flag: '--passphrase <text>', env: 'BENCH_REST_PASSPHRASE', isSecret: true, masked: maskAll },
  servername: { flag: '--servername <name>' },
  minVersion: { flag: '--tls-min <version>' },
  maxVersion: { flag: '--tls-max <version>' },
  ciphers: { flag: '--ciphers <list>' },
};

/** Options of TLS: defaults of every operation. @type {RunOption[]} */
export const TLS = Object.entries(TLS_PROPERTIES).map(([name, { about, type, check, expected, schema }]) => ({
  name,
  about,
  type,
  check,
  expected,
  schema,
  ...FLAGS[name],
}));
