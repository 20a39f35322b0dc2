import { PROFILE_ORIGINS } from '../ground/profiles.js';

/** @import { Profile, ProfileFrame } from '../contracts/profile.js' */

/**
 * @typedef {object} HotSpot a function that takes time, or allocates, by its caller in the service
 * @property {number} share of the whole
 * @property {number} value
 * @property {string} name of the function
 * @property {string} place `routes/list.js:31`: of the code that called it, if it is not the service's own
 * @property {string} by name of the function of the service that called it; empty: it is one itself
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
 * Returns for each node the nearest frame of the service: its own, or that of a caller. Without one, it returns the
 * nearest frame of a package; -1: there is neither.
 * @type {(profile: { frames: Pick<ProfileFrame, 'origin'>[], tree: Pick<Profile['tree'], 'frames' | 'parents'> }) =>
 *   number[]}
 */
export function ownersOf({ frames, tree }) {
  /** @type {number[]} */
  const owners = [];
  tree.frames.forEach((frame, i) => {
    const parent = tree.parents[i] < i ? (owners[tree.parents[i]] ?? -1) : -1;
    const origin = frames[frame]?.origin;
    const inherits = origin === 'package' ? frames[parent]?.origin === 'own' : origin !== 'own';
    owners[i] = inherits ? parent : frame;
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
  /** @type {Map<string, { name: string, origin: ProfileFrame['origin'], value: number }>} */
  const byName = new Map();
  for (const { origin, package: name = PROFILE_ORIGINS[origin], self } of frames) {
    const row = byName.get(name) ?? { name, origin, value: 0 };
    row.value += self;
    byName.set(name, row);
  }
  return [...byName.values()]
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .map((row) => ({ ...row, share: total > 0 ? row.value / total : 0 }));
}
