/**
 * Names of the alpha of bench-rest 2, each with the one that replaces it. Goes with 3.0.
 *
 * @import { OtherName } from './other-names.js'
 * @type {OtherName[]}
 */
export const FORMER_NAMES = [
  {
    names: 'no-proxy',
    only: 'flag',
    hint: "write --noproxy <hosts> for hosts that are reached without a proxy, or --proxy '' for none at all",
  },
  { names: 'output', only: 'option', hint: 'it is outputs in the configuration file, a path or a list of them' },
];
