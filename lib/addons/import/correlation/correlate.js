import { counted } from '../../../core/ground/decimal.js';
import { capitalized } from '../../../core/text/format-value.js';
import { newDraft, operationsOf } from '../draft.js';
import { settle } from '../tokens.js';
import { replaceClientValues } from './client-values.js';
import { commonHeaders, replayed } from './credentials.js';
import { linkEtags, linkSteps, nameVariables, newVariable, sourcesWith } from './link.js';
import { byPhase, placeSteps } from './phases.js';
import { selectExchanges } from './select.js';
import { isGraphqlRequest, withSharedAccept } from '../sent-bodies.js';
import { fieldOf, last } from './sources.js';
import { shareState } from './shared-state.js';
import { stepsOf } from './steps.js';

/** @import { CorrelateOptions, Exchange } from '../exchange.js' */
/** @import { FlowDraft, OperationDraft } from '../import.js' */
/** @import { Leaf } from './leaf.js' */
/** @import { Traffic } from './link.js' */
/** @import { PlacedStep } from './phases.js' */
/** @import { Step, Variable, Source } from './types.js' */

/** Shorter pauses are those of a program. */
const SHORTEST_PAUSE_MS = 50;
/** Bytes of a body that belongs into a file. */
const LARGE_BODY = 64 * 1024;

/**
 * Makes a flow of the requests of one client. Values that later requests have are captured where the first response has
 * them. The same exchanges give the same flow.
 *
 * Each request becomes a *step*. Its *leaves* are its values: segments of the path, parameters, fields, members of
 * JSON. A *source* is a place of a response with the value of a later leaf, and becomes a captured *variable*, whose
 * token replaces the leaf or a part of it. See types.d.ts.
 * @type {(exchanges: Exchange[], options?: CorrelateOptions) => FlowDraft}
 */
export function correlate(exchanges, options = {}) {
  const { kept, origin, skipped } = selectExchanges(exchanges, options);
  const traffic = linkAll(kept, origin);
  const comparison = options.again
    ? compareWith(traffic, linkAll(selectExchanges(options.again, { ...options, origin }).kept, origin))
    : null;
  replaceClientValues(traffic);
  const isOfBrowser = kept.some(({ request }) => /^Mozilla\//.test(fieldOf(request, 'user-agent')));
  const dialectNotes = [
    ...(comparison ? notesOn(comparison) : []),
    ...(isOfBrowser ? ['the User-Agent of the browser is left out: add it to headers if the service reads it'] : []),
  ];
  linkEtags(traffic.steps);
  nameVariables(traffic);
  dialectNotes.push(...shareState(traffic.steps));
  const placed = placeSteps(traffic.steps);
  for (const [i, { step }] of placed.entries()) complete(step, placed[i + 1], options);
  const drafts = withoutRepeats(placed.map(({ phase, step }) => ({ phase, step, one: draftOf(step) })));
  const draft = settle(
    newDraft({
      ...(origin !== '' && { baseUrl: origin }),
      phases: byPhase(drafts),
      skipped: [...skipped, ...notSent(traffic.steps)],
      dialectNotes,
    }),
  );
  const settled = operationsOf(draft).map((one, i) => ({ ...drafts[i], one }));
  const headers = commonHeaders(settled.map(({ one }) => one));
  for (const { one } of settled) dropImpliedAccept(one, headers);
  return withSharedAccept({
    ...draft,
    properties: { ...draft.properties, ...(Object.keys(headers).length > 0 && { headers }) },
    phases: byPhase(replayed(settled, { origin, headers })),
  });
}

/**
 * Follows redirects as clients do, unless a later request needs a value of the redirect itself: then the redirect and
 * the request after it become two steps, and all are linked again.
 * @type {(exchanges: Exchange[], origin: string) => Traffic}
 */
function linkAll(exchanges, origin) {
  /** The redirects that are not followed. @type {Set<Exchange>} */
  const explicit = new Set();
  for (;;) {
    const traffic = linkSteps(stepsOf(exchanges, { origin, explicit }));
    const needed = [...traffic.variables.keys()].flatMap(({ hop }) => hop ?? []);
    if (needed.length === 0) return traffic;
    needed.forEach((hop) => explicit.add(hop));
  }
}

/**
 * Adds to a step what the other steps and the recording decide: the expected status, comments, and the pause.
 * @type {(step: Step, next: PlacedStep | undefined, options: CorrelateOptions) => void}
 */
function complete(step, next, { thinkTime = 0 }) {
  const { response, endedAt } = last(step);
  const status = response?.status ?? 0;
  if (status >= 400 && !step.added.expect) {
    step.added.expect = { status };
    step.comments.push(`The recording has the status ${status} here.`);
  }
  if (response?.hasNoEnd)
    step.comments.push('The response has no end in the recording: the server broke it off, or it is a stream.');
  const size = step.exchange.request.body.length;
  if (size > LARGE_BODY)
    step.comments.push(`The body has ${counted(size, 'byte')}: move it to a file, and write body: { file: '…' }.`);
  step.comments.push(...step.captures.map(reasonFor));
  const pause = next ? thinkTime * (next.step.exchange.startedAt - endedAt) : 0;
  if (pause >= SHORTEST_PAUSE_MS)
    step.added.pause = pause >= 1000 ? `${Math.round(pause / 100) / 10}s` : Math.round(pause);
}

/** @type {(variable: Variable) => string} */
function reasonFor({ name, source, uses, isCertain }) {
  const places = [...new Set(uses.map(({ leaf }) => leaf.label))].slice(0, 3).join(', ');
  const count = new Set(uses.map(({ step }) => step)).size;
  const guess = isCertain ? '' : '. The value is short: this is guessed from the names';
  return `${name} is ${source.label}: ${count === 1 ? 'a later request has' : `${count} later requests have`} it in ${places}${guess}.`;
}

/** @type {(step: Step) => OperationDraft} */
function draftOf({ operation, added, captures, comments, disabled }) {
  const { headers, expect, beforeHooks, afterHooks, pause } = added;
  const written = operation();
  const capture = Object.fromEntries(captures.map(({ name, source }) => [name, source.capture]));
  return {
    operation: {
      ...written,
      ...(headers && { headers: { ...written.headers, ...headers } }),
      ...(captures.length > 0 && { capture }),
      ...(expect && { expect }),
      ...(beforeHooks && { beforeHooks }),
      ...(afterHooks && { afterHooks }),
      ...(pause && { pause }),
    },
    comments,
    ...(disabled !== undefined && { disabled }),
  };
}

/** @typedef {PlacedStep & { one: OperationDraft }} PlacedDraft */

/** Equal operations in succession are one that is repeated. @type {(drafts: PlacedDraft[]) => PlacedDraft[]} */
function withoutRepeats(drafts) {
  /** @type {(PlacedDraft & { text: string, count: number })[]} */
  const kept = [];
  for (const draft of drafts) {
    const text = JSON.stringify([draft.phase, draft.one]);
    const before = kept.at(-1);
    if (before?.text === text && !draft.one.operation.capture && !draft.one.operation.ws) before.count++;
    else kept.push({ ...draft, text, count: 1 });
  }
  return kept.map(({ phase, step, one, count }) => ({
    phase,
    step,
    one: count === 1 ? one : { ...one, operation: { ...one.operation, repeat: count } },
  }));
}

/** Drops it, as `json` asks for JSON itself. @type {(one: OperationDraft, headers: Record<string, string>) => void} */
function dropImpliedAccept({ operation }, headers) {
  const { json, headers: own = {} } = operation;
  const names = Object.keys(own).filter((name) => /^accept$/i.test(name));
  const isImplied = names.length === 1 && own[names[0]] === 'application/json';
  if (
    json === undefined ||
    !isImplied ||
    isGraphqlRequest(operation) ||
    Object.keys(headers).some((name) => /^accept$/i.test(name))
  )
    return;
  delete own[names[0]];
  if (Object.keys(own).length === 0) delete operation.headers;
}

/** @type {(steps: Step[]) => { what: string, why: string }[]} */
function notSent(steps) {
  return steps.flatMap(({ label, disabled }) => (disabled === undefined ? [] : [{ what: label, why: disabled }]));
}

/** Steps of a recording that are compared. */
const MOST_STEPS = 2000;

/**
 * @typedef {object} Comparison of two recordings of the same story
 * @property {{ step: Step, leaf: Leaf }[]} unexplained values of the first one that differ, and that no response has
 * @property {number} missing requests that only the first one has
 * @property {number} added requests that only the second one has
 */

/**
 * Captures a value that differs if earlier responses of both recordings have it in the same place.
 * @type {(first: Traffic, second: Traffic) => Comparison}
 */
function compareWith(first, second) {
  const pairs = align(first.steps.slice(0, MOST_STEPS), second.steps.slice(0, MOST_STEPS));
  const twins = new Map(pairs);
  /** @type {Comparison['unexplained']} */
  const unexplained = [];
  for (const [step, other] of pairs) {
    for (const [i, leaf] of step.leaves.entries()) {
      const twin = other.leaves[i];
      if (!differs(leaf, twin)) continue;
      const source = commonSource(sourcesBefore(leaf, step, first), sourcesBefore(twin, other, second), twins);
      if (source) {
        const variable = first.variables.get(source) ?? newVariable({ source, isCertain: true });
        first.variables.set(source, variable);
        variable.uses.push({ step, leaf });
        leaf.replace({ from: 0, to: leaf.text.length, by: variable });
      } else unexplained.push({ step, leaf });
    }
  }
  return { unexplained, missing: first.steps.length - pairs.length, added: second.steps.length - pairs.length };
}

/**
 * Comments on each unexplained value, unless a token, such as one of a time, has replaced it since. Returns a sentence
 * for each: a run sends the recorded one.
 * @type {(comparison: Comparison) => string[]}
 */
function notesOn({ unexplained, missing, added }) {
  const notes = [];
  for (const { step, leaf } of unexplained.filter(({ leaf: { isReplaced } }) => !isReplaced)) {
    const fact = 'differs between the two recordings, and no response has it before';
    step.comments.push(`${capitalized(leaf.label)} ${fact}.`);
    notes.push(`${step.label}: ${leaf.label} ${fact}; the flow sends the first one`);
  }
  if (missing > 0 || added > 0)
    notes.push(
      `the recordings differ: ${counted(missing, 'request')} only in the first one, ${counted(added, 'request')} only in the second`,
    );
  return notes;
}

/** @type {(leaf: Leaf, twin: Leaf | undefined) => boolean} */
function differs(leaf, twin) {
  return (
    twin !== undefined &&
    twin.place === leaf.place &&
    twin.name === leaf.name &&
    twin.text !== leaf.text &&
    !leaf.isReplaced
  );
}

/**
 * Finds the first source that is at the same place in the second recording. `twins` has its step for each of the first.
 * @type {(own: Source[], others: Source[], twins: Map<Step, Step>) => Source | undefined}
 */
function commonSource(own, others, twins) {
  return own.find((source) =>
    others.some(
      (found) =>
        found.step === twins.get(source.step) && JSON.stringify(found.capture) === JSON.stringify(source.capture),
    ),
  );
}

/** Lists where earlier responses have the value. @type {(leaf: Leaf, step: Step, traffic: Traffic) => Source[]} */
function sourcesBefore({ text }, step, traffic) {
  const { indexes } = traffic;
  const at = indexes.get(step) ?? 0;
  return sourcesWith(text, step, traffic).filter((source) => !source.hop && (indexes.get(source.step) ?? 0) < at);
}

/**
 * Pairs the steps of both recordings: the longest common subsequence of method and path, without ids.
 * @type {(first: Step[], second: Step[]) => [Step, Step][]}
 */
function align(first, second) {
  const [one, other] = [first.map(outlineOf), second.map(outlineOf)];
  const width = other.length + 1;
  // lengths[i * width + j] is the length of the longest one of the steps from i on and the other steps from j on.
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

/** Describes a request without its ids: a segment with a digit may be one. @type {(step: Step) => string} */
function outlineOf({ exchange, path, leaves }) {
  return `${exchange.request.method} ${path.replace(/[^/]*\d[^/]*/g, '*')} ${leaves.length}`;
}
