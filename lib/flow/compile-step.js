import { compileCaptures } from './captures/compile-captures.js';
import { compileChecks } from './checks/compile-checks.js';
import { controlOf } from './control.js';
import { hookOptions } from './hook-options.js';
import { mostOf } from './needs.js';
import { operationContext } from './operation-context.js';
import { nameOf } from './operation-name.js';
import { compileRequest } from './request.js';
import { rulesOf } from './rules.js';
import { webSocketSteps } from './web-socket/steps.js';

/**
 * @import { PlacedOperation } from './one-of.js'
 * @import { CompileContext, OperationContext } from './operation-context.js'
 * @import { Phase, Step } from './types.js'
 */

/**
 * Compiles an operation: to one step, or to the steps of a WebSocket.
 *
 * @param {PlacedOperation} placed
 * @param {Phase} phase
 * @param {number} opIndex
 * @param {CompileContext} context
 * @returns {Step[]}
 */
export function compileSteps(placed, phase, opIndex, context) {
  const { problems, siblings } = context;
  const shared = siblings?.stepOf(placed, phase, opIndex, context);
  if (shared) return [shared];
  const before = problems.list.length + problems.own.length;
  const ofOperation = operationContext(placed, phase, opIndex, context);
  const steps =
    ofOperation.valid.ws === undefined ? [compileStep(ofOperation)] : webSocketSteps(ofOperation, context.sockets);
  ofOperation.values.close();
  if (problems.list.length + problems.own.length === before) siblings?.add(placed.operation, steps);
  return steps;
}

/** @type {(context: OperationContext) => Step} */
function compileStep(context) {
  const { valid, where, phase, opIndex, headers, mark, complain, values, beforeHooks, afterHooks, problems } = context;
  const { written, scenario, choice, hasOrigin } = context;
  const request = compileRequest(valid, context.ofRequest);
  const { checks, reads, acceptsStatus } = compileChecks(valid, {
    where,
    mark,
    complain,
    folder: context.ofRequest.folder,
  });
  const { captures, reads: captured } = compileCaptures(valid, { where, complain });
  const rules = {
    ...rulesOf(valid, request.method, headers),
    keepsRequest: afterHooks.length > 0,
    credentials: request.credentials,
    ofRun: request.ofRun,
  };
  return {
    where,
    name: nameOf({ ...written, name: valid.name }, { hasOrigin }),
    origin: request.origin,
    proxy: request.proxy,
    phase,
    opIndex,
    scenario,
    choice,
    ...controlOf(valid, context),
    call: null,
    request: request.isConstant && problems.list.length === 0 ? request.render({}) : null,
    render: request.render,
    bodyCost: request.bodyCost,
    closesConnection: request.closesConnection,
    ...hookOptions({ ...context.ofHooks, request, rules }),
    values: values.list,
    beforeHooks,
    afterHooks,
    checks,
    acceptsStatus,
    captures,
    variables: [...values.variables],
    needs: mostOf([context.needs, ...reads, ...captured]),
    webSocket: null,
    ...rules,
  };
}
