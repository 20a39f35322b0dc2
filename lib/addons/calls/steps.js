import { maskText } from '../../core/text/mask.js';
import { compileCaptures } from '../../core/flow/captures/index.js';
import { compileChecks } from '../../core/flow/checks/index.js';
import { NO_HOOKS } from '../../core/flow/operation-compiler.js';
import { mostOf, rulesOf } from '../../core/flow/rules.js';

/** @import { CallTask, Request } from '../../core/contracts/request.js' */
/** @import { Scope, Step } from '../../core/contracts/step.js' */
/** @import { Endpoint } from '../../core/http/endpoint.js' */
/** @import { OperationCompiler } from '../../core/flow/operation-compiler.js' */

/** The name of the client, which the endpoint of all calls has. */
const CLIENT = 'call';

/** Where calls lead: the flow knows, with clients of its own. @type {Endpoint} */
const NOWHERE = {
  key: CLIENT,
  origin: '',
  protocol: 'call:',
  host: '',
  hostname: '',
  port: 0,
  tls: {},
  client: CLIENT,
  label: 'the client of the flow',
  way: {},
  proxy: null,
};

/** @type {string[]} */
const NO_FIELDS = [];

/**
 * Compiles a measured call. Its request has the function in place of bytes, and its response a value in place of a
 * body. Hooks of the flow are for requests: the function does what they could do.
 * @type {(compiler: OperationCompiler) => Step[]}
 */
export function callSteps(compiler) {
  const { valid, place, run } = compiler;
  const { checks, reads } = compileChecks(valid, { ...place, folder: run.folder });
  const { captures, reads: captured } = compileCaptures(valid, place);
  const name = maskText(String(valid.measure));
  const call = /** @type {CallTask['call']} */ (valid.run);
  /** @type {(scope: Scope) => Request} */
  const render = (env) => ({
    endpoint: NOWHERE,
    method: 'CALL',
    path: name,
    fields: NO_FIELDS,
    extra: null,
    body: null,
    isForeign: false,
    task: { kind: 'call', call, env },
  });
  const rules = {
    ...rulesOf(valid, 'CALL', {}),
    hasCookies: false,
    decodes: false,
    maxRedirects: 0,
    hasCredentials: true,
  };
  // A call has only these parts of a compiled request.
  const step = compiler.stepOf(/** @type {any} */ ({ origin: undefined, proxy: null, render }), rules, {
    name,
    request: null,
    bodyCost: { isShared: true, held: 0, copied: 0 },
    closesConnection: false,
    ...NO_HOOKS,
    beforeHooks: [],
    afterHooks: [],
    checks,
    captures,
    needs: mostOf([...reads, ...captured]),
  });
  return [step];
}
