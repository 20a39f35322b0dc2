import {
  FEW_HOTTEST,
  PROFILE_TITLES,
  changedRows,
  comparedText,
  hottestRows,
  operationRows,
  profileText,
} from './profile.js';
import { cut, cutBeginning, padded, widest, wrapped } from '../../../core/report/text/layout.js';

/** @import { ComparedProfile, Profile } from '../profile.js' */
/** @import { Glyphs } from '../../../core/report/terminal.js' */
/** @import { Paint } from '../../../core/report/text/layout.js' */
/** @import { Block, BlockOptions, Result } from '../../../core/report/types.js' */

/** @typedef {{ width: number, paint: Paint, glyphs: Glyphs }} LineOptions */

/** Columns that a name, and a place, have even in a narrow terminal. */
const NARROWEST = 12;

/**
 * The functions with most self time, and those that allocate most; in a text, those that changed most, too.
 * @type {(result: Result, options: BlockOptions) => Block[]}
 */
export function blocksOf({ profiles = [], baseline }, options) {
  if (options.format === 'markdown') return profiles.flatMap(tablesOf);
  const lines = profiles.flatMap((profile) => [
    `${options.paint('bold', PROFILE_TITLES[profile.kind])}  ${profileText(profile)}`,
    ...rowLines(hottestRows(profile, FEW_HOTTEST), options),
    ...operationLines(profile, options),
  ]);
  return [{ plain: [...lines, ...comparedProfileLines(baseline?.profiles ?? [], options)] }];
}

/** @type {(profile: Profile) => Block[]} */
function tablesOf(profile) {
  const title = PROFILE_TITLES[profile.kind];
  const [isText, share] = [true, { head: 'share' }];
  return [
    {
      lines: [{ name: title, text: profileText(profile) }],
      columns: [{ head: 'function', isText }, { head: 'called at', isText }, share],
      rows: hottestRows(profile, FEW_HOTTEST).map((row) => [row.name, row.place, row.share]),
    },
    {
      columns: [{ head: `${title} by operation`, isText }, share],
      rows: operationRows(profile, FEW_HOTTEST).map((row) => [row.name, row.share]),
    },
  ];
}

/** The share of each operation. @type {(profile: Profile, options: LineOptions) => string[]} */
function operationLines(profile, options) {
  const rows = operationRows(profile, FEW_HOTTEST).map(({ share, name }) => ({ share, name, place: '' }));
  const title = `${PROFILE_TITLES[profile.kind]} by operation`;
  return rows.length === 0 ? [] : [options.paint('bold', title), ...rowLines(rows, options)];
}

/**
 * Lists the functions whose cost per request changed most.
 * @type {(profiles: ComparedProfile[], options: LineOptions) => string[]}
 */
export function comparedProfileLines(profiles, options) {
  return profiles.flatMap((profile) => [
    options.paint('bold', wrapped(comparedText(profile), 2, options.width)),
    ...rowLines(
      changedRows(profile, FEW_HOTTEST).map(({ change, ...row }) => ({ share: change, ...row })),
      options,
    ),
  ]);
}

/**
 * Aligns shares, names and places. Where they are too wide, names are cut first, then places lose their beginning, as
 * their end has the file and the line.
 * @type {(rows: { share: string, name: string, place: string }[], options: LineOptions) => string[]}
 */
function rowLines(rows, { width, glyphs: { ellipsis } }) {
  const [shares, names] = [widest(rows.map(({ share }) => share)), widest(rows.map(({ name }) => name))];
  const places = widest(rows.map(({ place }) => place));
  // Without the indent, and the gaps between the three.
  const rest = width - shares - 3 * 2;
  const ofNames = Math.min(names, Math.max(NARROWEST, rest - places));
  const ofPlaces = Math.max(NARROWEST, rest - ofNames);
  return rows.map(({ share, name, place }) => {
    const shownName = padded(cut(name, ofNames, ellipsis), ofNames);
    return `  ${share.padStart(shares)}  ${shownName}  ${cutBeginning(place, ofPlaces, ellipsis)}`.trimEnd();
  });
}
