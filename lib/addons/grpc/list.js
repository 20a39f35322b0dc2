import { readTls } from '../../core/flow/tls.js';
import { hasToken } from '../../core/flow/tokens/index.js';
import { makeError } from '../../core/ground/errors.js';
import { createEndpoints } from '../../core/http/endpoint.js';
import { asHttp } from '../../core/http/schemes.js';
import { isSecure } from '../../core/http/url-parts.js';
import { escapeJson, safeLines } from '../../core/text/safe.js';
import { nameOf } from './schema/json-mapping.js';
import { INSTALL, loadProtobuf, methodNamed, servicesOf } from './schema/protos.js';
import { reflected } from './schema/reflection.js';
import { sampleOf } from './schema/sample.js';

/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { Root } from 'protobufjs' */
/** @import { Rpc } from './schema/protos.js' */

/**
 * Lists what a server offers, by reflection: its services and methods, or a call of the method that the URL names.
 * @throws {Error} E_USAGE
 * @type {(url: URL, options: Partial<RunOptions>) => string}
 */
export function listOfUrl({ href, protocol, host, pathname }, options) {
  const root = rootOf(new URL(asHttp(href)), options);
  const origin = `${protocol}//${host}`;
  const name = pathname.slice(1);
  return name === '' ? safeLines(methodsText(root, origin)) : escapeJson(callText(methodOf(root, name), origin));
}

/** @type {(url: URL, options: Partial<RunOptions>) => Root} */
function rootOf(url, { headers = {}, insecure, ...options }) {
  if (loadProtobuf() === null) throw usage(`gRPC needs the package protobufjs: ${INSTALL}`);
  const material = readTls(options, (key, reason) => {
    throw usage(`--${key}: ${reason}`);
  });
  const tls = { ...material, ...(insecure && { rejectUnauthorized: false }) };
  const version = isSecure(url.protocol) ? 'only' : 'prior-knowledge';
  const endpoint = createEndpoints()(url, tls, { version });
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => [name, String(one)]),
  );
  if (fields.some(hasToken)) throw usage('-H has a token, which only runs replace: let the shell write the value');
  const request = { endpoint, method: 'POST', path: '', fields, extra: null, body: null, isForeign: false };
  try {
    return reflected({ request, addresses: {}, symbols: null });
  } catch (error) {
    throw usage(/** @type {Error} */ (error).message);
  }
}

/** @type {(problem: string) => Error} */
function usage(problem) {
  return makeError('E_USAGE', { problem });
}

/** @type {(root: Root, name: string) => Rpc} */
function methodOf(root, name) {
  const rpc = methodNamed(root, name);
  if (typeof rpc === 'string') throw usage(`${name}: ${rpc}`);
  return rpc;
}

/** @type {(root: Root, origin: string) => string} */
function methodsText(root, origin) {
  const rows = servicesOf(root).flatMap((service) =>
    Object.keys(service.methods).map((name) => {
      const rpc = methodOf(root, `${nameOf(service)}/${name}`);
      return [rpc.path, kindOf(rpc), `${nameOf(rpc.request)} -> ${nameOf(rpc.response)}`];
    }),
  );
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column].length)));
  const lines = rows.map(([path, kind, types]) => `${path.padEnd(widths[0])}  ${kind.padEnd(widths[1])}  ${types}\n`);
  return `${lines.join('')}\nbench-rest list ${origin}/<method> prints a call with its message.\n`;
}

/** @type {(rpc: Rpc) => string} */
function kindOf({ sendsStream, answersStream }) {
  if (sendsStream) return answersStream ? 'both streams' : 'client stream';
  return answersStream ? 'server stream' : 'unary';
}

/** An operation in JSON, which is YAML, too. @type {(rpc: Rpc, origin: string) => string} */
function callText({ path, request, sendsStream }, origin) {
  const message = sampleOf(request);
  return `${JSON.stringify({ grpc: `${origin}/${path}`, message: sendsStream ? [message] : message }, null, 2)}\n`;
}
