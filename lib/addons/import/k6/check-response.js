import { titleOf } from '../draft.js';
import { hasType } from './builtins.js';
import { addExpected, expectedOf, timeIn } from './checks.js';
import { truth } from './operators.js';
import { Untranslated } from './render.js';
import { lineOf, shownInLine } from './shown-source.js';
import { sourceOf } from './sources.js';
import { Fn, isStructure, Native, Sym, sym, unknown } from './values.js';

/** @import { Script } from './script.js' */
/** @import { Node, Value } from './values.js' */

/**
 * Adds the checks of check(…) to the operation of the response.
 * @type {(script: Script, subject: Value, sets: Value, node: Node) => Value}
 */
export function checkResponse(script, subject, sets, node) {
  if (!isStructure(sets)) {
    script.leave(node, 'which checks it has is not known');
    return unknown(node);
  }
  let isFailed = false;
  for (const [name, test] of Object.entries(sets)) {
    const value = test instanceof Fn || test instanceof Native ? script.run.call(test, [subject], node) : test;
    checked(script, name, comparable(script, value, subject), { subject, node: test instanceof Fn ? test.node : node });
    isFailed ||= truth(value, script.run.host) === false;
  }
  // A failed check of the flow ends the iteration.
  return !isFailed;
}

/**
 * Writes the value that a response is compared with as a token.
 * @type {(script: Script, value: any, subject: any) => Value}
 */
function comparable(script, value, subject) {
  const { type, left, right } = value ?? {};
  if (type === 'logical')
    return sym(type, { ...value, left: comparable(script, left, subject), right: comparable(script, right, subject) });
  if (type !== 'binary' || !(left instanceof Sym && right instanceof Sym)) return value;
  const isOfSubject = [left, right].map((one) => sourceOf(one)?.draft === subject?.draft);
  if (subject?.draft === undefined || isOfSubject[0] === isOfSubject[1]) return value;
  try {
    const token = script.renderer.json(isOfSubject[0] ? right : left);
    return sym(type, { ...value, ...(isOfSubject[0] ? { right: token } : { left: token }) });
  } catch (error) {
    if (!(error instanceof Untranslated)) throw error;
    return value;
  }
}

/**
 * Adds a check to its operation.
 * @type {(script: Script, name: string, value: Value, place: { subject: any, node: Node }) => void}
 */
function checked(script, name, value, place) {
  const time = timeIn(value);
  if (time) {
    const threshold = `'${titleOf(time.draft.operation)} p95<${time.most}ms'`;
    return leaveCheck(script, place, name, `a slow response would end the iteration: add the threshold ${threshold}`);
  }
  const expected = expectedOf(value);
  if (expected === null) return undefined;
  if (!expected && !hasType(value, 'response') && !hasType(value, 'unknown'))
    return leaveCheck(script, place, name, 'this check is of no response');
  const isWritten = expected?.every(
    ({ draft }) =>
      draft.disabled === undefined &&
      script.run.branches.guards.length <= (script.renderer.conditionsOf.get(draft) ?? 0),
  );
  if (!isWritten)
    return leaveCheck(script, place, name, 'this check has no equivalent: the flow goes on as if it passed');
  for (const { draft, part } of expected ?? []) {
    const { operation } = draft;
    const own = [operation.expect ?? {}].flat();
    if (own.some((one) => addExpected(one, part))) operation.expect = own.length === 1 ? own[0] : own;
    else operation.expect = [...own, { name, ...part }];
  }
  return undefined;
}

/** @type {(script: Script, place: { subject: any, node: Node }, name: string, why: string) => void} */
function leaveCheck(script, { subject, node }, name, why) {
  const text = `${lineOf(node)}: '${name}': ${shownInLine(node)}`;
  const isUnknown = subject instanceof Sym && /** @type {any} */ (subject).type === 'unknown';
  const own = subject?.draft ?? sourceOf(subject)?.draft ?? script.phase.operations.at(-1);
  const isLeftOut = isUnknown || own?.disabled !== undefined;
  ((isUnknown ? undefined : own?.comments) ?? script.pending).push(
    `Check of ${lineOf(node)}, '${name}': ${shownInLine(node)}${isLeftOut ? '' : `: ${why}`}`,
  );
  if (!isLeftOut) script.skipped.push({ what: text, why });
}
