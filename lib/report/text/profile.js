import {
  FEW_HOTTEST,
  PROFILE_TITLES,
  changedRows,
  comparedText,
  hottestRows,
  operationRows,
  profileText,
} from '../profile.js';
import { cut, padded, widest, wrapped } from './layout.js';

/** @import { ComparedProfile, Profile } from '../../contracts/profile.js' */
/** @import { Paint } from './layout.js' */

const NARROWEST = 12;

/** Lists the functions with most self time, and those that allocate most. @type {import('./index.js').Section} */
export function profileSection({ profiles = [], baseline }, { width, paint, glyphs }) {
  const lines = profiles.flatMap((profile) => [
    `${paint('bold', PROFILE_TITLES[profile.kind])}  ${profileText(profile)}`,
    ...rowLines(hottestRows(profile, FEW_HOTTEST), { width, ellipsis: glyphs.ellipsis }),
    ...operationLines(profile, { width, paint, ellipsis: glyphs.ellipsis }),
  ]);
  return [...lines, ...comparedProfileLines(baseline?.profiles ?? [], { width, paint, ellipsis: glyphs.ellipsis })];
}

/** @type {(profile: Profile, options: { width: number, paint: Paint, ellipsis?: string }) => string[]} */
function operationLines(profile, { width, paint, ellipsis }) {
  const rows = operationRows(profile, FEW_HOTTEST).map(({ share, name }) => ({ share, name, place: '' }));
  const title = `${PROFILE_TITLES[profile.kind]} by operation`;
  return rows.length === 0 ? [] : [paint('bold', title), ...rowLines(rows, { width, ellipsis })];
}

/**
 * The functions whose cost per request changed most.
 * @type {(profiles: ComparedProfile[], options: { width: number, paint: Paint, ellipsis?: string }) => string[]}
 */
export function comparedProfileLines(profiles, { width, paint, ellipsis }) {
  return profiles.flatMap((profile) => [
    paint('bold', wrapped(comparedText(profile), 2, width)),
    ...rowLines(
      changedRows(profile, FEW_HOTTEST).map(({ change, ...row }) => ({ share: change, ...row })),
      { width, ellipsis },
    ),
  ]);
}

/**
 * @type {(rows: { share: string, name: string, place: string }[], options: { width: number, ellipsis?: string }) =>
 *   string[]}
 */
function rowLines(rows, { width, ellipsis }) {
  const [shares, names] = [widest(rows.map(({ share }) => share)), widest(rows.map(({ name }) => name))];
  const places = widest(rows.map(({ place }) => place));
  // Long names are cut first, then places lose their beginning.
  const rest = width - shares - 6;
  const ofNames = Math.min(names, Math.max(NARROWEST, rest - places));
  return rows.map(({ share, name, place }) => {
    const room = Math.max(NARROWEST, rest - ofNames);
    const shown = place.length > room ? `${ellipsis ?? '…'}${place.slice(place.length - room + 1)}` : place;
    return `  ${share.padStart(shares)}  ${padded(cut(name, ofNames, ellipsis), ofNames)}  ${shown}`.trimEnd();
  });
}
