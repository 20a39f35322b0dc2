import { ERRORS } from './errors.js';
import { FLOWS } from './flows.js';
import { HOOKS } from './hooks.js';
import { LIVE_GENERATED } from './live-generated.js';
import { LIVE_SHAPES } from './live-shapes.js';
import { LIVE } from './live.js';
import { OWN_NAMES } from './own-names.js';
import { PROGRAMS } from './programs.js';
import { PUBLISHED_FLOWS } from './published-flows.js';
import { PUBLISHED_PROGRAMS } from './published-programs.js';
import { REQUEST_OPTIONS } from './request-options.js';
import { REQUESTS } from './requests.js';
import { RESPONSES } from './responses.js';
import { RUN_OPTIONS } from './run-options.js';
import { SERVERS } from './servers.js';
import { VALUES } from './values.js';

/**
 * A trait of programs and flows that were written for 1.2.4, in a few lines. Either `flow` is run once, with `options` (one
 * iteration if there are none), or `program` does all itself.
 *
 * @typedef {object} Trait
 * @property {string} name
 * @property {(url: string, log: (...values: any[]) => void) => any} [flow]
 * @property {() => any} [options]
 * @property {(context: { url: string, log: (...values: any[]) => void, benchrest: Function }) => any} [program]
 * @property {boolean} [isSecure] nobody trusts the certificate of the target
 * @property {boolean} [isUnordered] several virtual users: the order of requests is not defined
 *
 * @typedef {object} Played what happened
 * @property {'ends' | 'throws' | 'crashes' | 'hangs'} outcome
 * @property {string[]} requests
 * @property {string[]} errors
 * @property {string[]} progress the types of the arguments
 * @property {number[]} errorCounts
 * @property {string[]} figures the names and types of stats
 * @property {any[]} log what the program has logged
 */

/** @type {Trait[]} */
export const TRAITS = [
  ...FLOWS,
  ...ERRORS,
  ...HOOKS,
  ...LIVE,
  ...LIVE_GENERATED,
  ...LIVE_SHAPES,
  ...REQUEST_OPTIONS,
  ...RESPONSES,
  ...SERVERS,
  ...REQUESTS,
  ...RUN_OPTIONS,
  ...VALUES,
  ...OWN_NAMES,
  ...PROGRAMS,
  ...PUBLISHED_PROGRAMS,
  ...PUBLISHED_FLOWS,
];
