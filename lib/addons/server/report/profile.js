import { bytes, counted, ms, percent, seconds, signed } from '../../../core/ground/decimal.js';
import { PROFILE_ORIGINS } from '../profile/kinds.js';
import { hotSpots, packagesOf, placeText } from '../profile/hottest.js';

/** @import { ComparedFunction, ComparedProfile, Profile, ProfileFrame } from '../profile.js' */

/** Profiles of a service in words: rows for texts and Markdown, and models for pages. */

/** Rows of the tables of a page. */
const MOST_ROWS = 40;
/** Functions that a page lists above its tables. */
const MOST_HOTTEST = 10;
/** Rows of a text, and of a table in Markdown. */
export const FEW_HOTTEST = 5;

/** Not `CPU time`: samples of V8 that are not idle may wait for a CPU. */
export const PROFILE_TITLES = { cpu: 'Active time', heap: 'Allocations' };

/** @type {(value: number, unit: Profile['unit']) => string} */
function amountText(value, unit) {
  if (unit === 'B') return bytes(value);
  return Math.round(value) < 1000 ? `${ms(value)} ms` : seconds(value);
}

/** Formats a profile in a line: `9.8 s in 10.0 s, 4 processes`. @type {(profile: Profile) => string} */
export function profileText({ total, unit, duration, processes, overhead, files = [] }) {
  const cost = overhead === undefined ? '' : `, profiler ${percent(overhead)}`;
  const saved = files.length === 0 ? '' : `; in ${files.join(', ')}`;
  return `${amountText(total, unit)} in ${seconds(duration)}${severalText(processes)}${cost}${saved}`;
}

/** @type {(processes: Profile['processes']) => string} */
function severalText(processes) {
  if (processes.length < 2) return '';
  const workers = processes.filter(({ isWorker }) => isWorker).length;
  const others = processes.length - workers;
  return [
    others > 0 ? `, ${others === 1 ? '1 process' : `${others} processes`}` : '',
    workers > 0 ? `, ${counted(workers, 'worker thread')}` : '',
  ].join('');
}

/**
 * Returns the hottest functions, each with its share. One of a package is named with the function of the service that
 * calls it, and has the place of that one.
 * @type {(profile: Profile, most: number) => { share: string, name: string, place: string }[]}
 */
export function hottestRows(profile, most) {
  return hotSpots(profile, most).map(({ share, name, place, by }) => ({
    share: percent(share),
    name: by === '' ? name : `${name} in ${by}`,
    place,
  }));
}

/**
 * Returns the shares of the operations, if there are several, and of what belongs to none of them. `direct`: the part
 * that V8 recorded below the handler of a request.
 * @type {(profile: Profile, most?: number) => { share: string, name: string, direct: string, amount: string }[]}
 */
export function operationRows({ total, unit, operations }, most = MOST_ROWS) {
  if (operations === undefined || operations.rows.length + Number(operations.others > 0) < 2) return [];
  const { rows, others, shared } = operations;
  const sum = (/** @type {typeof rows} */ some, /** @type {'value' | 'direct'} */ key) =>
    some.reduce((all, row) => all + row[key], 0);
  const rest = rows.slice(most);
  const unknown = Math.max(0, total - sum(rows, 'value') - others - shared);
  return [
    ...rows.slice(0, most),
    { name: counted(rest.length, 'other operation'), value: sum(rest, 'value'), direct: sum(rest, 'direct') },
    { name: 'other requests', value: others, direct: null },
    { name: 'several operations', value: shared, direct: null },
    { name: 'not told apart: Node, garbage collector, others', value: unknown, direct: null },
  ]
    .filter(({ value }) => value > 0)
    .map(({ name, value, direct }) => ({
      share: percent(value / total),
      name,
      direct: direct === null ? '' : percent(direct / total),
      amount: amountText(value, unit),
    }));
}

/**
 * Returns the functions that changed most, per request: `+0.41 ms`.
 * @type {(profile: ComparedProfile, most: number) => { change: string, name: string, place: string, base: string, new:
 *   string }[]}
 */
export function changedRows({ unit, functions }, most) {
  return functions
    .filter((row) => row.base !== row.new)
    .slice(0, most)
    .map((row) => ({
      change: changeText(row, unit),
      name: row.by === undefined ? row.name : `${row.name} in ${row.by.name}`,
      place: placeText(row.by ?? row),
      base: perRequest(row.base, unit),
      new: perRequest(row.new, unit),
    }));
}

/** @type {(row: Pick<ComparedFunction, 'base' | 'new'>, unit: Profile['unit']) => string} */
function changeText(row, unit) {
  const change = row.new - row.base;
  return `${change > 0 ? '+' : '-'}${perRequest(Math.abs(change), unit)}`;
}

/** Formats the cost of a request. @type {(value: number, unit: Profile['unit']) => string} */
export function perRequest(value, unit) {
  if (value === 0) return '0';
  if (unit === 'B') return bytes(value);
  return value >= 0.01 ? `${ms(value)} ms` : `${(value * 1000).toFixed(1)} µs`;
}

/** Summarizes a compared profile in a line. @type {(profile: ComparedProfile) => string} */
export function comparedText({ kind, unit, base, new: other }) {
  const change = base > 0 ? `, ${signed(other / base - 1)}` : '';
  const title = PROFILE_TITLES[kind].toLowerCase();
  return `${title} of the service per request: ${perRequest(base, unit)} and ${perRequest(other, unit)}${change}`;
}

/** @typedef {ReturnType<typeof profileModel>} ProfileModel */
/** @typedef {ReturnType<typeof comparedProfileModel>} ComparedProfileModel */

/** Formats a profile for the page, which draws the tree of the result. @param {Profile} profile */
export function profileModel(profile) {
  const { kind, unit, total, frames } = profile;
  const share = (/** @type {number} */ value) => (total > 0 ? percent(value / total) : '-');
  const own = frames.filter(({ origin }) => origin === 'own').sort((a, b) => b.total - a.total);
  const others = frames.filter(({ origin, self }) => origin !== 'own' && self > 0);
  const row = (/** @type {ProfileFrame} */ frame) => ({
    name: frame.name,
    place: placeText(frame, true),
    self: share(frame.self),
    total: share(frame.total),
  });
  return {
    kind,
    unit,
    title: PROFILE_TITLES[kind],
    text: profileText(profile),
    hottest: hottestRows(profile, MOST_HOTTEST),
    operations: operationRows(profile),
    packages: packagesOf(profile)
      .slice(0, MOST_ROWS)
      .map((one) => ({ name: one.name, share: percent(one.share), amount: amountText(one.value, unit) })),
    own: own.slice(0, MOST_ROWS).map(row),
    others: others
      .slice(0, MOST_ROWS)
      .map((frame) => ({ ...row(frame), package: frame.package ?? PROFILE_ORIGINS[frame.origin] })),
    processes: profile.processes.slice(0, MOST_ROWS).map(({ name, total: value }) => ({ name, share: share(value) })),
  };
}

/** Formats compared profiles for the page. @param {ComparedProfile} profile */
export function comparedProfileModel(profile) {
  const { kind, unit } = profile;
  return {
    kind,
    unit,
    title: PROFILE_TITLES[kind],
    text: comparedText(profile),
    changed: changedRows(profile, MOST_ROWS),
  };
}
