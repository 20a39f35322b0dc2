import { MOST_NODES, PROFILE_KINDS, PROFILE_UNITS } from './kinds.js';
import { CallTree, addTree, largest, mergeProfiles } from './call-tree.js';
import { ownersOf } from './hottest.js';

/** @import { ComparedFunction, ComparedProfile, Profile } from '../profile.js' */
/** @import { ProfileFrame, ProfileFunction } from '../profile.js' */

/**
 * @typedef {{ profiles?: Profile[], requests: { rate: number, count?: number } }} Profiled
 *   a result
 *
 * @typedef {{ profile: Profile, requests: number }} Side
 */

/** Functions that a comparison lists. */
const MOST_FUNCTIONS = 30;
/** Digits of a value per request. */
const DIGITS = 4;

/**
 * Compares the cost of a request in each function of two sides, by kind. The list is empty if a side has no profile.
 * @type {(bases: Profiled[], others: Profiled[]) => ComparedProfile[]}
 */
export function comparedProfiles(bases, others) {
  return PROFILE_KINDS.flatMap((kind) => {
    const sides = [bases, others].map((results) => sideOf(results, kind));
    return sides[0] && sides[1] ? [compared(sides[0], sides[1])] : [];
  });
}

/** Adds up the profiles of a side, and their requests. @type {(results: Profiled[], kind: string) => Side | null} */
function sideOf(results, kind) {
  const found = results.flatMap(({ profiles = [], requests }) =>
    profiles
      .filter((one) => one.kind === kind)
      .map((profile) => ({ profile, requests: requestsIn(profile, requests) })),
  );
  const requests = found.reduce((sum, one) => sum + one.requests, 0);
  if (!(requests > 0)) return null;
  return { profile: mergeProfiles(found.map(({ profile }) => profile)), requests };
}

/**
 * Returns the requests in the time of a profile. Merged shards that each have a service add up rates and times, which
 * would count every request several times.
 * @type {(profile: Profile, requests: Profiled['requests']) => number}
 */
function requestsIn({ duration }, { rate, count = Infinity }) {
  return Math.min((rate * duration) / 1000, count);
}

/** @type {(base: Side, other: Side) => ComparedProfile} */
function compared(base, other) {
  const sides = [base, other];
  const keys = keysOf(sides.map(({ profile }) => profile.frames));
  const newest = new Map(sides.flatMap(({ profile }, i) => keys[i].map((key, at) => [key, profile.frames[at]])));
  const tree = new CallTree();
  // Not by `tree.frame`, which joins functions of one name and place: one that has moved may be where another one of
  // its name was, which only the base has.
  const frameOfKey = new Map([...newest].map(([key, frame]) => [key, tree.frames.push(bare(frame)) - 1]));
  /** The value that each node of the tree has itself, per request, of both sides. @type {number[][]} */
  const selfOf = [[], []];
  sides.forEach(({ profile, requests }, side) => {
    const frames = keys[side].map((key) => frameOfKey.get(key) ?? 0);
    addTree(tree, profile.tree, frames, (node, i) => {
      selfOf[side][node] = (selfOf[side][node] ?? 0) + profile.tree.self[i] / requests;
    });
  });
  const [ofBase, ofNew] = selfOf.map((own) => tree.frameOf.map((_, node) => own[node] ?? 0));
  const both = tree.totals(ofBase.map((value, node) => value + ofNew[node]));
  const kept = largest(both, MOST_NODES);
  const used = [...new Set(kept.map((node) => tree.frameOf[node]))];
  // The places of frames and nodes in the lists that are kept.
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
 * Returns the functions whose self time changed most, each with the function that answers for it (`ownersOf`): one
 * function has a row for each of these.
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
 * Returns keys of the functions of both sides, the same for the same function. Several functions of a file may have one
 * name, or none. Such functions are matched by their places in the file, if most have stayed at theirs and no
 * function with a name of its own in the file has moved; otherwise by their order, as lines move with every change.
 * @type {(sides: ProfileFrame[][]) => string[][]}
 */
function keysOf(sides) {
  const groups = sides.map(groupsOf);
  const movedFiles = movedFilesOf(groups[0], groups[1]);
  return sides.map((frames, side) => {
    /** @type {Map<ProfileFrame, string>} */
    const keys = new Map();
    for (const [key, all] of groups[side]) {
      const isByPlace = !movedFiles.has(all[0].file) && haveStayed(all, groups[1 - side].get(key) ?? []);
      all.forEach((frame, i) => keys.set(frame, `${key}\0${isByPlace ? placeIn(frame) : i}`));
    }
    return frames.map((frame) => /** @type {string} */ (keys.get(frame)));
  });
}

/**
 * Lists the files in which a function that has its name alone is at another place than before.
 * @type {(before: Map<string, ProfileFrame[]>, now: Map<string, ProfileFrame[]>) => Set<string | undefined>}
 */
function movedFilesOf(before, now) {
  const moved = [...now].filter(([key, all]) => {
    const old = before.get(key) ?? [];
    return all.length === 1 && old.length === 1 && placeIn(all[0]) !== placeIn(old[0]);
  });
  return new Set(moved.map(([, [{ file }]]) => file));
}

/**
 * Reports whether most functions of one name are at the same place on the other side, which may lack some of them.
 * @type {(group: ProfileFrame[], other: ProfileFrame[]) => boolean}
 */
function haveStayed(group, other) {
  const places = new Set(other.map(placeIn));
  const same = group.filter((one) => places.has(placeIn(one))).length;
  return 2 * same > Math.min(places.size, group.length);
}

/** Functions by name and file, in their order. @type {(frames: ProfileFrame[]) => Map<string, ProfileFrame[]>} */
function groupsOf(frames) {
  /** @type {Map<string, ProfileFrame[]>} */
  const groups = new Map();
  for (const frame of [...frames].sort(inFile)) {
    const key = `${frame.name}\0${frame.file ?? ''}`;
    const group = groups.get(key);
    if (group) group.push(frame);
    else groups.set(key, [frame]);
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
