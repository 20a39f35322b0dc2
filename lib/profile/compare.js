import { MOST_NODES, PROFILE_KINDS, PROFILE_UNITS } from '../ground/profiles.js';
import { CallTree, addTree, largest, mergeProfiles } from './call-tree.js';
import { ownersOf } from './hottest.js';

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
  const keys = keysOf(sides.map(({ profile }) => profile.frames));
  const newest = new Map(sides.flatMap(({ profile }, i) => keys[i].map((key, at) => [key, profile.frames[at]])));
  const tree = new CallTree();
  /** @type {number[][]} */
  const values = [[], []];
  sides.forEach(({ profile, requests }, side) => {
    const frames = keys[side].map((key) => tree.frame(bare(/** @type {ProfileFrame} */ (newest.get(key)))));
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
  const { kind } = base.profile;
  return {
    kind,
    unit: PROFILE_UNITS[kind],
    base: rounded(base.profile.total / base.requests),
    new: rounded(other.profile.total / other.requests),
    functions: functionsOf(tree, ofBase, ofNew),
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
 * Returns the functions whose self time changed most, each with the code of the service that called it.
 * @type {(tree: CallTree, base: number[], other: number[]) => ComparedFunction[]}
 */
function functionsOf({ frames, frameOf, parentOf }, base, other) {
  const owners = ownersOf({ frames, tree: { frames: frameOf, parents: parentOf } });
  /** @type {Map<string, ComparedFunction>} */
  const functions = new Map();
  frameOf.forEach((frame, node) => {
    const owner = owners[node];
    const by = owner >= 0 && owner !== frame && { by: frames[owner] };
    const known = functions.get(`${frame} ${owner}`) ?? { ...frames[frame], ...by, base: 0, new: 0 };
    functions.set(`${frame} ${owner}`, { ...known, base: known.base + base[node], new: known.new + other[node] });
  });
  return [...functions.values()]
    .filter((one) => one.base > 0 || one.new > 0)
    .sort((a, b) => changeOf(b) - changeOf(a))
    .slice(0, MOST_FUNCTIONS)
    .map((one) => ({ ...one, base: rounded(one.base), new: rounded(one.new) }));
}

/**
 * Returns keys of the functions of both sides, the same for the same function. Lines move, so the order of functions
 * with the same name in a file distinguishes them, unless most of them have not moved: a side may lack some.
 * @type {(sides: ProfileFrame[][]) => string[][]}
 */
function keysOf(sides) {
  const groups = sides.map(groupsOf);
  const [before, now] = groups;
  const moved = new Set(
    [...now].flatMap(([key, [one, ...more]]) => {
      const same = before.get(key) ?? [];
      return more.length === 0 && same.length === 1 && placeIn(one) !== placeIn(same[0]) ? [one.file] : [];
    }),
  );
  return sides.map((frames, side) => {
    /** @type {Map<ProfileFrame, string>} */
    const keys = new Map();
    for (const [key, all] of groups[side]) {
      const places = new Set((groups[1 - side].get(key) ?? []).map(placeIn));
      const same = all.filter((one) => places.has(placeIn(one))).length;
      const hasStayed = !moved.has(all[0].file) && 2 * same > Math.min(places.size, all.length);
      all.forEach((frame, i) => keys.set(frame, `${key}\0${hasStayed ? placeIn(frame) : i}`));
    }
    return frames.map((frame) => /** @type {string} */ (keys.get(frame)));
  });
}

/** Functions by name and file, in their order. @type {(frames: ProfileFrame[]) => Map<string, ProfileFrame[]>} */
function groupsOf(frames) {
  /** @type {Map<string, ProfileFrame[]>} */
  const groups = new Map();
  for (const frame of [...frames].sort(inFile)) {
    const key = `${frame.name}\0${frame.file ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), frame]);
  }
  return groups;
}

/** @type {(a: ProfileFrame, b: ProfileFrame) => number} */
function inFile(a, b) {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

/** @type {(frame: ProfileFrame) => string} */
function placeIn({ line = 0, column = 0 }) {
  return `${line}:${column}`;
}

/** @type {(frame: ProfileFrame) => ProfileFunction} */
function bare({ self: _self, total: _total, hotLine: _hotLine, ...frame }) {
  return frame;
}

/** @type {(row: ComparedFunction) => number} */
function changeOf(row) {
  return Math.abs(row.new - row.base);
}

/** @type {(value: number) => number} */
function rounded(value) {
  return Number(value.toPrecision(DIGITS));
}
