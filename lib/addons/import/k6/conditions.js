import { BINARY } from './operators.js';
import { functionOf } from './render.js';

/** @import { Code } from '../draft.js' */
/** @import { Guard } from './branches.js' */
/** @import { Script } from './script.js' */

/** Responses with these statuses would end the iteration. */
const ERRORS = [400, 401, 403, 404, 409, 422, 429, 500, 503];

/** The condition of the next operation. @type {(script: Script) => Code | undefined} */
export function whenOf(script) {
  /** @type {Set<string>} */
  const needs = new Set();
  const condition = conditionOf(script, script.run.branches.guards, needs);
  return condition === '' ? undefined : functionOf(condition, needs);
}

/**
 * Writes that all of these hold.
 * @throws {import('./render.js').Untranslated} if one cannot be written
 * @type {(script: Script, guards: Guard[], needs: Set<string>) => string}
 */
export function conditionOf(script, guards, needs) {
  // A condition reads what may be missing.
  script.renderer.conditions = script.run.branches.guards.length + 1;
  const tests = guards.map(({ test }) => {
    const text = script.renderer.code(test, needs);
    keepErrors(script, test);
    return guards.length > 1 && /** @type {any} */ (test)?.type !== 'unary' ? `(${text})` : text;
  });
  return [...new Set(tests)].join(' && ');
}

/** A request whose errors lead to others does not end the iteration. @type {(script: Script, test: any) => void} */
function keepErrors(script, test) {
  const isNot = test.type === 'unary' && test.operator === '!';
  const { type, operator, left, right } = isNot ? test.argument : test;
  const draft = type === 'binary' && left?.type === 'member' && left.key === 'status' ? left.object?.draft : undefined;
  if (!draft || typeof right !== 'number' || left.object.isGrpc || draft.operation.expect?.status !== undefined) return;
  if (ERRORS.some((status) => Boolean(BINARY[operator]?.(status, right)) !== isNot))
    draft.operation.afterHooks = ['ignoreStatus'];
}
