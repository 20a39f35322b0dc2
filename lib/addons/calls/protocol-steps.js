import { compileTemplate } from '../../core/flow/template.js';
import { keepForEndpoint } from '../../core/http/endpoint.js';
import { maskText } from '../../core/text/mask.js';
import { rendererOf } from './render.js';
import { CHECKS_OF_VALUES, NOWHERE, SHARED, refuseReading, stepOfCall } from './steps.js';

/** @import { AddProblem, Operation, Step } from '../../core/contracts/step.js' */
/** @import { OperationCompiler } from '../../core/flow/operation-compiler.js' */
/** @import { Endpoint } from '../../core/http/endpoint.js' */
/** @import { Held } from './client.js' */
/** @import { ProtocolFacts } from './protocol.js' */

/** @typedef {ProtocolFacts<any>} Facts */
/** @typedef {Endpoint & { opened: string, path: string }} OwnEndpoint opened: a URL with its credentials */

/** @type {(operation: Operation, facts: Facts) => { key: string, reason: string }[]} */
export function refuseOperation(operation, { key, noun, properties, checks = [], refuse }) {
  const known = ['name', key, ...Object.keys(properties), ...SHARED];
  const foreign = Object.keys(operation).filter((name) => operation[name] !== undefined && !known.includes(name));
  return [
    ...foreign.map((name) => ({ key: name, reason: `has no meaning for ${noun.one}: remove it` })),
    ...refuseReading(operation, [...CHECKS_OF_VALUES, ...checks]),
    ...(refuse?.(operation) ?? []),
  ];
}

/** Run options of requests that an add-on may take. */
const OPTIONS = ['headers', 'cookies', 'user'];

/**
 * Refuses options for requests, in a flow that has none.
 * @type {(options: Record<string, any>, context: { steps: Step[], add: AddProblem, facts: Facts }) => void}
 */
export function refuseRunOptions(options, { steps, add, facts }) {
  const { key, noun, takes = [] } = facts;
  if (!steps.every(({ protocol }) => protocol.key === key)) return;
  for (const name of OPTIONS.filter((one) => !takes.some((taken) => taken === one)))
    if (options[name] !== undefined && !isEmptyObject(options[name]))
      add(`runOptions.${name}`, `has no meaning for ${noun.many}: remove it`, [name]);
}

/** @type {(value: unknown) => boolean} */
function isEmptyObject(value) {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Compiles an operation to one measured call. @type {(compiler: OperationCompiler, facts: Facts) => Step[]} */
export function protocolSteps(compiler, facts) {
  const { valid, place, run } = compiler;
  const { key, open, call, close = () => {}, takes = [] } = facts;
  const given = Object.entries(facts.properties).map(([name, row]) => [name, valid[name] ?? row.default]);
  const own = Object.fromEntries([[key, valid[key]], ...given]);
  const render = rendererOf(own, (text, path) => place.mark(text, path.join('.')));
  // They have marks.
  const headersOf = rendererOf(takes.includes('headers') ? compiler.headers : undefined, (text) => text);
  const endpointOf = endpointsOf(facts, run);
  const url = own[key];
  // One that varies is refused when it is used.
  if (typeof url === 'string' && compileTemplate(place.mark(url, key)) === url) {
    try {
      endpointOf(url);
    } catch (error) {
      place.complain(key, /** @type {Error} */ (error).message);
    }
  }
  const name = maskText(String(valid.name ?? url));
  return [
    stepOfCall(compiler, name, (env) => {
      const operation = /** @type {Operation} */ (typeof render === 'function' ? render(env) : render);
      const endpoint = endpointOf(operation[key]);
      const headers = typeof headersOf === 'function' ? headersOf(env) : headersOf;
      /** @type {(scope: any, held: Held) => Promise<unknown>} */
      const perform = async (scope, held) => {
        if (headers !== undefined) scope.headers = headers;
        try {
          return await call(
            await held.connection(() => open(new URL(endpoint.opened), scope), close),
            operation,
            scope,
          );
        } catch (error) {
          held.drop();
          throw error;
        }
      };
      return { endpoint, path: endpoint.path, task: { kind: key, call: perform, env } };
    }),
  ];
}

/**
 * Returns a function that finds the endpoint of a URL, one object for each origin.
 * @throws {Error} E_TARGET_REFUSED, E_REQUEST_FIELD
 * @type {(facts: Facts, run: OperationCompiler['run']) => (url: string) => OwnEndpoint}
 */
function endpointsOf({ key, scheme, tls }, { baseUrl, endpointOf }) {
  /** @type {Map<string, OwnEndpoint>} */
  const known = new Map();
  return (url) => {
    const found = known.get(url);
    if (found) return found;
    const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null;
    const isOwn = target !== null && (target.protocol === `${scheme}:` || (tls && target.protocol === `${scheme}s:`));
    if (!isOwn || target.hostname === '')
      throw new TypeError(`expected a URL such as ${scheme}://localhost:7000, got ${maskText(String(url))}`);
    const { port, host, protocol } = target;
    // It refuses what the run may not reach.
    const { hostname } = endpointOf(new URL(`http://${host}`), {}, { proxy: null });
    const origin = `${protocol}//${host}`;
    const parts = { origin, protocol, host, hostname, port: Number(port), client: key, label: origin };
    const opened = Object.assign(new URL(origin), { username: target.username, password: target.password }).href;
    const path = target.pathname + target.search;
    const endpoint = { ...NOWHERE, key: `${key} ${opened}`, ...parts, opened, path };
    keepForEndpoint(known, url, endpoint);
    return endpoint;
  };
}
