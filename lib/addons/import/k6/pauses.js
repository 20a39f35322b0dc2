import { Code } from '../draft.js';
import { hasType } from './builtins.js';
import { conditionOf } from './conditions.js';
import { functionOf, Untranslated } from './render.js';
import { linearOf } from './sources.js';
import { sym } from './values.js';

/** @import { OperationDraft } from '../import.js' */
/** @import { Guard } from './branches.js' */
/** @import { Script } from './script.js' */
/** @import { Node, Value } from './values.js' */

/**
 * The parts of pauses that are code, by their operations.
 * @type {WeakMap<Record<string, any>, { texts: string[], needs: Set<string> }>}
 */
const coded = new WeakMap();

/** Adds the think time of sleep(…). @type {(script: Script, seconds: Value, node: Node) => void} */
export function sleep(script, seconds, node) {
  const pause = pauseOf(seconds);
  const { guards } = script.run.branches;
  const draft = script.phase.sentUnder(guards);
  if (pause === 0) return;
  const others = script.phase.othersThan(draft, guards);
  if (pause === undefined || others.length > 0) {
    const isWritten = draft && pauseByCode(script, draft, seconds, others);
    if (!isWritten) script.leave(node, `${pause === undefined ? 'how long' : 'whether'} it waits is not known`);
  } else if (draft) pauseAfter(script, draft, pause, node);
  else script.phase.early.push({ pause, node });
  if (draft && draft !== script.phase.lastSent())
    draft.comments.push('In k6 its think time comes after the next request, which has a condition.');
}

/** Adds think time. @type {(script: Script, draft: OperationDraft | undefined, pause: any, node: Node) => void} */
export function pauseAfter(script, draft, pause, node) {
  if (draft === undefined) script.leave(node, 'no request of the flow comes before or after it');
  else if (!(draft.operation.pause instanceof Code)) addPause(draft.operation, pause);
  else if (Array.isArray(pause) || !pauseByCode(script, draft, milliseconds(pause) / 1000, []))
    script.leave(node, 'the pause before it is one of code');
}

/**
 * Adds think time of code to that of an operation; false: it cannot be written.
 * @type {(script: Script, draft: OperationDraft, seconds: Value, guards: Guard[]) => boolean}
 */
function pauseByCode(script, { operation }, seconds, guards) {
  const before = operation.pause;
  if (Array.isArray(before) || hasType(seconds, 'unknown')) return false;
  const known = before === undefined ? [] : [String(before instanceof Code ? '' : milliseconds(before))];
  const { texts, needs } = coded.get(operation) ?? { texts: known, needs: new Set() };
  const ms =
    typeof seconds === 'number' ? seconds * 1000 : sym('binary', { operator: '*', left: seconds, right: 1000 });
  try {
    const condition = conditionOf(script, guards, needs);
    const text = script.renderer.code(ms, needs);
    texts.push(condition === '' ? text : `(${condition}) ? ${text} : 0`);
    const sum = texts.length === 1 ? texts[0] : texts.map((one) => `(${one})`).join(' + ');
    operation.pause = functionOf(sum, needs);
    coded.set(operation, { texts, needs });
    return true;
  } catch (error) {
    if (!(error instanceof Untranslated)) throw error;
    return false;
  } finally {
    script.renderer.conditions = 0;
  }
}

/** @type {(operation: Record<string, any>, pause: any) => void} */
function addPause(operation, pause) {
  const known = operation.pause;
  if (known === undefined) operation.pause = pause;
  else {
    const [a, b] = [known, pause].map((one) => (Array.isArray(one) ? one : [one, one]).map(milliseconds));
    const sum = a.map((one, i) => one + b[i]);
    const texts = sum.map((ms) => (ms % 1000 === 0 ? `${ms / 1000}s` : ms));
    operation.pause = sum[0] === sum[1] ? texts[0] : texts;
  }
}

/** @type {(time: string | number) => number} */
function milliseconds(time) {
  return typeof time === 'number' ? time : Number(time.slice(0, -1)) * 1000;
}

/** The time of sleep(…), as `pause` has it. @type {(seconds: Value) => any} */
function pauseOf(seconds) {
  if (typeof seconds === 'number' && seconds >= 0) return timeText(seconds);
  const linear = linearOf(seconds);
  if (!linear) return undefined;
  const { factor, start, isWhole } = linear;
  return [start, start + factor - (isWhole ? 1 : 0)].map(timeText);
}

/** @type {(seconds: number) => string | number} */
function timeText(seconds) {
  const ms = Math.round(seconds * 1000);
  return ms % 1000 === 0 && ms > 0 ? `${ms / 1000}s` : ms;
}
