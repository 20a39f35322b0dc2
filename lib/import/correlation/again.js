import { counted } from '../../ground/decimal.js';
import { newVariable } from './link.js';

/** @import { Traffic } from './link.js' */
/** @import { Leaf } from './leaf.js' */
/** @import { Source, Step } from './types.js' */

/** Steps of a recording that are compared. */
const MOST_STEPS = 2000;

/**
 * Compares two recordings of the same story. A value that differs and is in a response before, at the same place in
 * both, is captured there. Returns a sentence for each other value that differs: a run sends the recorded one.
 * @type {(first: Traffic, second: Traffic) => string[]}
 */
export function compareWith(first, second) {
  const pairs = align(first.steps.slice(0, MOST_STEPS), second.steps.slice(0, MOST_STEPS));
  /** @type {string[]} */
  const notes = [];
  for (const [one, other] of pairs) {
    for (const [i, leaf] of one.leaves.entries()) {
      const twin = other.leaves[i];
      if (!differs(leaf, twin)) continue;
      const source = commonSource({ leaf, twin, one, other }, { first, second, pairs });
      if (source) {
        const variable = first.variables.get(source) ?? newVariable({ source, isCertain: true });
        first.variables.set(source, variable);
        variable.uses.push({ step: one, leaf });
        leaf.replace({ from: 0, to: leaf.text.length, by: variable });
      } else {
        one.comments.push(
          `${capitalized(leaf.label)} differs between the two recordings, and no response has it before.`,
        );
        notes.push(
          `${one.label}: ${leaf.label} differs between the two recordings, and no response has it before; the flow sends the first one`,
        );
      }
    }
  }
  const missing = first.steps.length - pairs.length;
  const added = second.steps.length - pairs.length;
  if (missing > 0 || added > 0)
    notes.push(
      `the recordings differ: ${counted(missing, 'request')} only in the first one, ${counted(added, 'request')} only in the second`,
    );
  return notes;
}

/** @type {(text: string) => string} */
function capitalized(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** @type {(leaf: Leaf, twin: Leaf | undefined) => boolean} */
function differs(leaf, twin) {
  return (
    twin !== undefined &&
    twin.place === leaf.place &&
    twin.name === leaf.name &&
    twin.text !== leaf.text &&
    !leaf.isReplaced &&
    !isTime(leaf, twin)
  );
}

/** Times of clients have tokens of their own. @type {(leaf: Leaf, twin: Leaf) => boolean} */
function isTime(leaf, twin) {
  return [leaf, twin].every(({ text }) =>
    /^1\d{9}(?:\d{3})?$|^\d{4}-\d\d-\d\dT[\d:.]+Z$|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  );
}

/**
 * @type {(differing: { leaf: Leaf, twin: Leaf, one: Step, other: Step }, recordings: { first: Traffic, second: Traffic,
 *   pairs: [Step, Step][] }) => Source | undefined}
 */
function commonSource({ leaf, twin, one, other }, { first, second, pairs }) {
  const twins = new Map(pairs);
  const own = sourcesBefore(leaf, one, first);
  const others = sourcesBefore(twin, other, second);
  return own.find((source) =>
    others.some(
      (found) =>
        found.step === twins.get(source.step) && JSON.stringify(found.capture) === JSON.stringify(source.capture),
    ),
  );
}

/** @type {(leaf: Leaf, step: Step, traffic: Traffic) => Source[]} */
function sourcesBefore({ text }, step, { received, indexes }) {
  const at = indexes.get(step) ?? 0;
  return (received.get(text) ?? []).filter((source) => !source.hop && (indexes.get(source.step) ?? 0) < at);
}

/**
 * Pairs the steps of both recordings: the longest common subsequence of method and path, ids left out.
 * @type {(first: Step[], second: Step[]) => [Step, Step][]}
 */
function align(first, second) {
  const [one, other] = [first.map(shapeOf), second.map(shapeOf)];
  const width = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        one[i] === other[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  /** @type {[Step, Step][]} */
  const pairs = [];
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    if (one[i] === other[j]) pairs.push([first[i++], second[j++]]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return pairs;
}

/** A segment with a digit may be an id. @type {(step: Step) => string} */
function shapeOf({ exchange, leaves }) {
  const { method, url } = exchange.request;
  const path = new URL(url).pathname.replace(/[^/]*\d[^/]*/g, '*');
  return `${method} ${path} ${leaves.length}`;
}
