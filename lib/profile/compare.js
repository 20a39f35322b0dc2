import { MOST_NODES, PROFILE_KINDS, PROFILE_UNITS } from '../ground/profiles.js';
import { CallTree, addTree, largest, mergeProfiles } from './call-tree.js';

/** @import { ComparedFunction, ComparedProfile, Profile } from '../contracts/profile.js' */
/** @import { ProfileFrame, ProfileFunction } from '../contracts/profile.js' */

/**
 * @typedef {{ profiles?: Profile[], requests: { rate: number } }} Profiled a result
 *
 * @typedef {{ profile: Profile, requests: number }} Side
 */

/** Functions that a comparison lists. */
const MOST_FUNCTIONS = 30;
/** Digits of a value per request. */
const DIGITS = 4;

/**
 * Compares the cost of a request in each function of two sides, by kind. Empty if a side has no profile.
 * @type {(bases: Profiled[], others: Profiled[]) => ComparedProfile[]}
 */
export function comparedProfiles(bases, others) {
  return PROFILE_KINDS.flatMap((kind) => {
    const sides = [bases, others].map((results) => sideOf(results, kind));
    return sides[0] && sides[1] ? [compared(sides[0], sides[1])] : [];
  });
}

/**
 * The sum of the profiles of a side, and the requests of their time.
 * @type {(results: Profiled[], kind: string) => Side | null}
 */
function sideOf(results, kind) {
  const found = results.flatMap(({ profiles = [], requests }) =>
    profiles.filter((one) => one.kind === kind).map((profile) => ({ profile, rate: requests.rate })),
  );
  const requests = found.reduce((sum, { profile, rate }) => sum + (rate * profile.duration) / 1000, 0);
  if (!(requests > 0)) return null;
  return { profile: mergeProfiles(found.map(({ profile }) => profile)), requests };
}

/** @type {(base: Side, other: Side) => ComparedProfile} */
function compared(base, other) {
  const sides = [base, other];
  const keys = sides.map(({ profile }) => keysOf(profile.frames));
  const newest = new Map(sides.flatMap(({ profile }, i) => keys[i].map((key, at) => [key, profile.frames[at]])));
  const tree = new CallTree();
  /** @type {number[][]} */
  const values = [[], []];
  const selfs = sides.map(() => new Map());
  sides.forEach(({ profile, requests }, side) => {
    const frames = keys[side].map((key) => tree.frame(bare(/** @type {ProfileFrame} */ (newest.get(key)))));
    profile.frames.forEach(({ self }, i) => add(selfs[side], keys[side][i], self / requests));
    addTree(tree, profile.tree, frames, (node, i) => {
      values[side][node] = (values[side][node] ?? 0) + profile.tree.self[i] / requests;
    });
  });
  const [ofBase, ofNew] = values.map((own) => tree.frameOf.map((_, node) => own[node] ?? 0));
  const both = tree.totals(ofBase.map((value, node) => value + ofNew[node]));
  const kept = largest(both, MOST_NODES);
  const used = [...new Set(kept.map((node) => tree.frameOf[node]))];
  const [frameAt, nodeAt] = [used, kept].map((all) => new Map(all.map((one, i) => [one, i])));
  const [totalOfBase, totalOfNew] = [tree.totals(ofBase), tree.totals(ofNew)];
  const functions = [...newest].map(([key, frame]) => ({
    ...bare(frame),
    base: rounded(selfs[0].get(key) ?? 0),
    new: rounded(selfs[1].get(key) ?? 0),
  }));
  const { kind } = base.profile;
  return {
    kind,
    unit: PROFILE_UNITS[kind],
    base: rounded(base.profile.total / base.requests),
    new: rounded(other.profile.total / other.requests),
    functions: functions.sort((a, b) => changeOf(b) - changeOf(a)).slice(0, MOST_FUNCTIONS),
    frames: used.map((frame) => tree.frames[frame]),
    tree: {
      frames: kept.map((node) => frameAt.get(tree.frameOf[node]) ?? 0),
      parents: kept.map((node) => nodeAt.get(tree.parentOf[node]) ?? -1),
      base: kept.map((node) => rounded(totalOfBase[node])),
      new: kept.map((node) => rounded(totalOfNew[node])),
    },
  };
}

/**
 * Returns a key of each function that is the same on both sides. Lines move, so the order of functions with the same
 * name in a file distinguishes them.
 * @type {(frames: ProfileFrame[]) => string[]}
 */
function keysOf(frames) {
  /** @type {Map<string, number[]>} */
  const byName = new Map();
  frames.forEach(({ name, file = '' }, i) => {
    const key = `${name}\0${file}`;
    byName.set(key, [...(byName.get(key) ?? []), i]);
  });
  /** @type {string[]} */
  const keys = [];
  const inFile = (/** @type {number} */ a, /** @type {number} */ b) =>
    (frames[a].line ?? 0) - (frames[b].line ?? 0) || (frames[a].column ?? 0) - (frames[b].column ?? 0);
  for (const [key, all] of byName) all.sort(inFile).forEach((frame, i) => (keys[frame] = `${key}\0${i}`));
  return keys;
}

/** @type {(frame: ProfileFrame) => ProfileFunction} */
function bare({ self: _self, total: _total, hotLine: _hotLine, ...frame }) {
  return frame;
}

/** @type {(values: Map<string, number>, key: string, value: number) => void} */
function add(values, key, value) {
  values.set(key, (values.get(key) ?? 0) + value);
}

/** @type {(row: ComparedFunction) => number} */
function changeOf(row) {
  return Math.abs(row.new - row.base);
}

/** @type {(value: number) => number} */
function rounded(value) {
  return Number(value.toPrecision(DIGITS));
}
