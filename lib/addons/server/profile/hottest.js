import { PROFILE_ORIGINS } from './kinds.js';

/** @import { Profile, ProfileFrame } from '../profile.js' */

/**
 * @typedef {object} HotSpot a function that takes time, or allocates, by its caller in the service
 * @property {number} share of the whole
 * @property {number} value
 * @property {string} name of the function
 * @property {string} by name of the code that owns it, see {@link ownersOf}; empty: it owns itself, or nothing does
 * @property {string} place `routes/list.js:31`: its own, or the beginning of the function `by`
 */

/**
 * Returns the functions with most self time, each with the code of the service that called it: the name of a function
 * of a package or of the runtime is not enough to act on.
 * @type {(profile: Profile, most: number) => HotSpot[]}
 */
export function hotSpots(profile, most) {
  const { frames, tree, total } = profile;
  /** @type {Map<string, { frame: number, owner: number, value: number }>} */
  const spots = new Map();
  const owners = ownersOf(profile);
  tree.frames.forEach((frame, i) => {
    const value = tree.self[i];
    if (!(value > 0) || frames[frame] === undefined) return;
    const key = `${frame} ${owners[i]}`;
    const spot = spots.get(key) ?? { frame, owner: owners[i], value: 0 };
    spot.value += value;
    spots.set(key, spot);
  });
  return [...spots.values()]
    .sort((a, b) => b.value - a.value)
    .slice(0, most)
    .map(({ frame, owner, value }) => {
      const { name } = frames[frame];
      const shown = { share: total > 0 ? value / total : 0, value, name };
      if (owner === frame) return { ...shown, place: placeText(frames[frame], true), by: '' };
      if (owner < 0) return { ...shown, place: placeText(frames[frame]), by: '' };
      return { ...shown, place: placeText(frames[owner]), by: frames[owner].name };
    });
}

/**
 * Returns the owner of each node, a frame. Code of the service owns itself. Code of a package belongs to code of the
 * service that called it, else to itself. Other code belongs to the owner of its caller; -1: it has none.
 * @type {(profile: { frames: Pick<ProfileFrame, 'origin'>[], tree: Pick<Profile['tree'], 'frames' | 'parents'> }) =>
 *   number[]}
 */
export function ownersOf({ frames, tree }) {
  /** @type {number[]} */
  const owners = [];
  tree.frames.forEach((frame, i) => {
    // Callers precede what they call: another parent is -1, or from a broken file.
    const ownerOfCaller = tree.parents[i] < i ? (owners[tree.parents[i]] ?? -1) : -1;
    const origin = frames[frame]?.origin;
    const isCalledByOwn = frames[ownerOfCaller]?.origin === 'own';
    const ownsItself = origin === 'own' || (origin === 'package' && !isCalledByOwn);
    owners[i] = ownsItself ? frame : ownerOfCaller;
  });
  return owners;
}

/**
 * `routes/list.js:31`: the line with most of its samples, or its beginning.
 * @type {(frame: Pick<ProfileFrame, 'file' | 'line' | 'hotLine'>, isHot?: boolean) => string}
 */
export function placeText({ file = '', line, hotLine }, isHot = false) {
  const at = isHot ? (hotLine ?? line) : line;
  return at === undefined || file === '' ? file : `${file}:${at}`;
}

/**
 * Returns the self time of the service's own code, of each package, of Node, and of native code; the largest first.
 * @type {(profile: Pick<Profile, 'frames' | 'total'>) => { name: string, origin: ProfileFrame['origin'], share: number,
 *   value: number }[]}
 */
export function packagesOf({ frames, total }) {
  /**
   * By origin and name: a package may be called `runtime`.
   * @type {Map<string, { name: string, origin: ProfileFrame['origin'], value: number }>}
   */
  const rows = new Map();
  for (const { origin, package: name = PROFILE_ORIGINS[origin], self } of frames) {
    const key = `${origin} ${name}`;
    const row = rows.get(key) ?? { name, origin, value: 0 };
    row.value += self;
    rows.set(key, row);
  }
  return [...rows.values()]
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .map((row) => ({ ...row, share: total > 0 ? row.value / total : 0 }));
}
