import { compileTemplate } from '../../core/flow/template.js';
import { keepForEndpoint } from '../../core/http/endpoint.js';
import { maskText } from '../../core/text/mask.js';
import { CHECKS_OF_VALUES, NOWHERE, SHARED, refuseReading, stepOfCall } from './steps.js';

/** @import { Operation, Scope, Step } from '../../core/contracts/step.js' */
/** @import { OperationCompiler } from '../../core/flow/operation-compiler.js' */
/** @import { Endpoint } from '../../core/http/endpoint.js' */
/** @import { Held } from './client.js' */
/** @import { ProtocolFacts } from './protocol.js' */

/** @typedef {ProtocolFacts<any>} Facts */

/** @type {(operation: Operation, facts: Facts) => { key: string, reason: string }[]} */
export function refuseOperation(operation, { key, noun, properties, checks = [] }) {
  const known = ['name', key, ...Object.keys(properties), ...SHARED];
  const foreign = Object.keys(operation).filter((name) => operation[name] !== undefined && !known.includes(name));
  return [
    ...foreign.map((name) => ({ key: name, reason: `has no meaning for ${noun.one}: remove it` })),
    ...refuseReading(operation, [...CHECKS_OF_VALUES, ...checks]),
  ];
}

/** Compiles an operation to one measured call. @type {(compiler: OperationCompiler, facts: Facts) => Step[]} */
export function protocolSteps(compiler, facts) {
  const { valid, place, run } = compiler;
  const { key, open, call, close = () => {} } = facts;
  const given = Object.entries(facts.properties).map(([name, row]) => [name, valid[name] ?? row.default]);
  const own = Object.fromEntries([[key, valid[key]], ...given]);
  const render = rendererOf(own, '', compiler);
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
      /** @type {(scope: any, held: Held) => Promise<unknown>} */
      const perform = async (scope, held) => {
        try {
          const { signal } = scope;
          return await call(
            await held.connection(() => open(new URL(endpoint.origin), { signal }), close),
            operation,
            scope,
          );
        } catch (error) {
          held.drop();
          throw error;
        }
      };
      return { endpoint, task: { kind: key, call: perform, env } };
    }),
  ];
}

/**
 * Returns a value, or a function of an iteration if a text in it has tokens.
 * @type {(value: any, key: string, compiler: OperationCompiler) => unknown}
 */
function rendererOf(value, key, compiler) {
  if (typeof value === 'string') return compileTemplate(compiler.place.mark(value, key));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    rendererOf(one, key === '' ? name : `${key}.${name}`, compiler),
  ]);
  if (entries.every(([, one]) => typeof one !== 'function')) return value;
  return (/** @type {Scope} */ scope) => {
    const rendered = entries.map(([name, one]) => [name, typeof one === 'function' ? one(scope) : one]);
    return Array.isArray(value) ? rendered.map(([, one]) => one) : Object.fromEntries(rendered);
  };
}

/**
 * Returns a function that finds the endpoint of a URL, one object for each origin.
 * @throws {Error} E_TARGET_REFUSED, E_REQUEST_FIELD
 * @type {(facts: Facts, run: OperationCompiler['run']) => (url: string) => Endpoint}
 */
function endpointsOf({ key, scheme }, { baseUrl, endpointOf }) {
  /** @type {Map<string, Endpoint>} */
  const known = new Map();
  return (url) => {
    const found = known.get(url);
    if (found) return found;
    const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null;
    if (target === null || target.protocol !== `${scheme}:` || target.hostname === '')
      throw new TypeError(`expected a URL such as ${scheme}://localhost:7000, got ${maskText(String(url))}`);
    const { port, host, protocol } = target;
    // It refuses what the run may not reach.
    const { hostname } = endpointOf(new URL(`http://${host}`), {}, { proxy: null });
    const origin = `${scheme}://${host}`;
    const parts = { origin, protocol, host, hostname, port: Number(port), client: key, label: origin };
    const endpoint = { ...NOWHERE, key: `${key} ${origin}`, ...parts };
    keepForEndpoint(known, url, endpoint);
    return endpoint;
  };
}
