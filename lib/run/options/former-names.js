/**
 * Names of the alpha of bench-rest 2, each with the one that replaces it. Goes with 3.0.
 *
 * @import { OtherName } from './other-names.js'
 * @type {OtherName[]}
 */
export const FORMER_NAMES = [
  { names: 'transport', option: 'httpClient', hint: 'and wire is builtin' },
  { names: 'lookup-each', hint: 'write --no-dns-cache, or dnsCache: false' },
  { names: 'reconnect-rate', option: 'requestsPerConnection' },
  { names: 'connection-rate', option: 'ratePerUser' },
  { names: 'max-connection-requests', option: 'maxRequestsPerUser' },
  { names: 'max-overall-requests', option: 'maxRequests' },
  { names: 'min-version', only: 'option', option: 'tlsMin' },
  { names: 'max-version', only: 'option', option: 'tlsMax' },
  { names: 'interval', option: 'seriesInterval' },
  { names: 'queue', option: 'agentsQueue' },
  { names: 'pool', option: 'agentsPool' },
  { names: 'tolerate-lost', option: 'agentsMaxLost' },
  { names: 'replace-lost', option: 'agentsReplaceLost' },
  { names: 'include', option: 'agentsInclude' },
  { names: 'ready', only: 'flag', flag: '--start-ready' },
  { names: 'port', only: 'flag', flag: '--serve-port' },
  { names: 'delay', only: 'flag', flag: '--serve-delay' },
  { names: 'error', only: 'flag', flag: '--serve-error' },
  { names: 'percent', only: 'flag', flag: '--serve-percent' },
  {
    names: 'no-proxy',
    only: 'flag',
    hint: "write --noproxy <hosts> for hosts that are reached without a proxy, or --proxy '' for none at all",
  },
  { names: 'output', only: 'option', hint: 'it is outputs in the configuration file, a path or a list of them' },
];
