import { NamedOrigins } from '../../lib/core/flow/origins.js';
import { compileRequest } from '../../lib/core/flow/request.js';
import { markTokens } from '../../lib/core/flow/template.js';
import { createTlsReader } from '../../lib/core/flow/tls.js';
import { createProblems } from '../../lib/core/ground/problems.js';
import { createEndpoints } from '../../lib/core/http/endpoint.js';

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
    baseUrl: 'http://a.test/dir/x',
    tlsOf,
    endpointOf: createEndpoints(),
    origins: new NamedOrigins({}),
    retries: {},
  };
  const input = {
    run: { ...run, ...overrides },
    place: { where: 'op', mark, complain, sourceOf: () => 'text', ...overrides },
    headers: { ...context.headers, ...operation.headers },
    user: overrides.user,
    password: overrides.password,
    cookies: overrides.cookies,
    runFields: overrides.runFields ?? [],
  };
  return { ...compileRequest(operation, input), said };
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
