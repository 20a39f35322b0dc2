import { NamedOrigins } from '../../lib/flow/named-origins.js';
import { compileRequest } from '../../lib/flow/request.js';
import { markTokens } from '../../lib/flow/template.js';
import { createTlsReader } from '../../lib/flow/tls.js';
import { createProblems } from '../../lib/ground/problems.js';
import { createEndpoints } from '../../lib/http/endpoint.js';

/**
 * Compiles the request of an operation as a run does.
 *
 * @param {object} operation
 * @param {object} [context] overrides
 * @returns the compiled request, and in `said` the complaints
 */
export function compiledRequest(operation, context = {}) {
  const said = [];
  const mark = (text, path, place) => markTokens(text, { problems: createProblems('E_FLOW'), path, place });
  const complain = (key, reason) => said.push(`${key}: ${reason}`);
  const { tls = {}, ...overrides } = context;
  const tlsOf = createTlsReader(tls);
  const run = {
    where: 'op',
    baseUrl: 'http://a.test/dir/x',
    tlsOf,
    endpointOf: createEndpoints(),
    mark,
    complain,
    origins: new NamedOrigins({}),
    sourceOf: () => 'text',
    runFields: [],
  };
  return {
    ...compileRequest(operation, { ...run, ...overrides, headers: { ...context.headers, ...operation.headers } }),
    said,
  };
}

/**
 * The request of the iteration with INDEX 7.
 *
 * @param {object} operation
 * @param {object} [context] overrides
 */
export function renderedRequest(operation, context) {
  return compiledRequest(operation, context).render({ index: 7 });
}
