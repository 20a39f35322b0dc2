import { makeError } from '../../../ground/errors.js';
import { ALL_SCHEMES, HAS_AUTHORITY, URLS } from '../../../http/schemes.js';

/** @import { FlowFormat, FlowReader } from '../types.js' */

const URL_OF_FLOW = new RegExp(`^[\\u0000-\\u0020]*(?:${ALL_SCHEMES.join('|')}|unix):`, 'i');
const HOST_AND_PORT = /^([\w-]+(\.[\w-]+)*|\[[\da-f:]+\]):\d+([/?]|$)/i;
/** `http//example.com` has no colon. */
const BAD_COLON = /^(https?)[;.,]?\/\/(.+)/i;
const HOST_AND_PATH = /^(localhost|[\w-]+(\.[\w-]+)+)\//i;

/** @type {NonNullable<FlowFormat['accepts']>} */
export function accepts({ argument, path, isFlowName = false, urls }) {
  if (urls !== undefined) return true;
  if (argument === undefined) return false;
  // A file that exists is meant, though its name may look like a host: example.com/flow
  return isUrl(argument) || HAS_AUTHORITY.test(argument) || (path === undefined && isHost(argument, isFlowName));
}

/** @type {FlowReader} */
export async function read({ argument = '', urls }) {
  if (urls === undefined) return checkedUrl(argument);
  const all = urls.map((url) => (url.startsWith('/') ? url : checkedUrl(url)));
  return all.length === 1 ? all[0] : { oneOf: all };
}

/** Returns an argument that is a URL. @throws {Error} E_USAGE: it is none @type {(argument: string) => string} */
export function checkedUrl(argument) {
  if (isUrl(argument)) return argument;
  if (!HAS_AUTHORITY.test(argument) && !isHost(argument, false))
    throw makeError('E_USAGE', {
      problem: /^\s*[[{]/.test(argument)
        ? `${argument} is not a URL; a body is -b, --body, and a flow -e`
        : `${argument} is not a URL; several arguments must be URLs, a flow file is the only argument`,
    });
  throw makeError('E_USAGE', { problem: refuseScheme(argument) });
}

/** Explains that a scheme is missing, or is none of ours. @type {(argument: string) => string} */
function refuseScheme(argument) {
  const [, scheme = 'http', rest = argument] = BAD_COLON.exec(argument) ?? [];
  const cure = HAS_AUTHORITY.test(argument)
    ? `use ${URLS}`
    : `did you mean ${scheme}://${rest.includes('/') ? rest : `${rest}/`} ?`;
  return `${argument} is neither a URL nor a file; ${cure}`;
}

/** Explains that a likely host has no scheme. @type {(argument: string) => string | undefined} */
export function refuseHost(argument) {
  return isHost(argument, true) && !isUrl(argument) ? refuseScheme(argument) : undefined;
}

/** Reports whether a text begins as the URL of a flow. @type {(text: string) => boolean} */
export function isUrl(text) {
  return URL_OF_FLOW.test(text);
}

/** `example.com/flow.js` is rather a missing file. @type {(argument: string, isFlowName: boolean) => boolean} */
function isHost(argument, isFlowName) {
  if (argument.toLowerCase() === 'localhost' || HOST_AND_PORT.test(argument) || BAD_COLON.test(argument)) return true;
  return HOST_AND_PATH.test(argument) && !isFlowName;
}
