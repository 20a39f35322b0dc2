import { note } from './validity.js';
import { OTHER_SERVED } from './user-metrics.js';
import { tagsOf } from './tags.js';

/** @import { Note, Stats } from '../contracts/stats.js' */

/** What is beyond one is added up as `other`. @type {{ about: string, isMet: (stats: Stats) => boolean }[]} */
const BOUNDS = [
  {
    about: 'more than 1,000 operations: the others are rows called other, one for each phase and its tags',
    isMet: ({ operations }) => operations.some(({ other }) => other),
  },
  {
    about: 'an operation had more than 10 statuses: the others are one, called other',
    isMet: ({ operations }) => operations.some(({ statusCodes }) => 'other' in statusCodes),
  },
  {
    about: 'more than 1,000 scenarios or groups: the others are one row called other',
    isMet: ({ scenarios = [], groups = [] }) => [...scenarios, ...groups].some(({ other }) => other),
  },
  {
    about: 'more than 1,000 checks: the others are one row called other',
    isMet: ({ checks }) => checks?.details.some(({ phase }) => phase === '') ?? false,
  },
  { about: 'more than 50 values of a tag, or 200 in all: the others are one, called other', isMet: hasOtherTags },
  {
    about: 'more than 50 names of Server-Timing: the others are one, called (other)',
    isMet: ({ metrics }) => OTHER_SERVED in metrics,
  },
  {
    about: 'more than 1,000 metrics of hooks: those of further names are one of each kind, called other',
    isMet: ({ metrics }) => Object.keys(metrics).length > 1000,
  },
];

/** Names the bounds that a result has met. @type {(stats: Stats) => Note[]} */
export function boundsOf(stats) {
  return BOUNDS.filter(({ isMet }) => isMet(stats)).map(({ about }) => note('bound', about));
}

/** A flow may have a tag of this value itself. @type {(stats: Stats) => boolean} */
function hasOtherTags({ operations }) {
  /** @type {Map<string, Set<string>>} */
  const values = new Map();
  for (const { labels } of operations)
    for (const [tag, value] of tagsOf(labels)) values.set(tag, (values.get(tag) ?? new Set()).add(value));
  const all = [...values.values()];
  const isFull = all.reduce((sum, { size }) => sum + size, 0) > 200;
  return all.some((own) => own.has('other') && (own.size > 50 || isFull));
}
