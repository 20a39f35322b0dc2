import { basename, extname } from 'node:path';

import { TIME_WITH_UNITS, readMs } from '../../../core/ground/units.js';

/** @import { ProfileKind } from '../profile.js' */
/** @import { Problems } from '../../../core/ground/types.js' */
/** @import { RunOption } from '../../../core/run/options/types.js' */

/**
 * @typedef {object} ProfileOption what is recorded
 * @property {ProfileKind[]} kinds
 * @property {number} [lastMs] record only the end of the measured time
 */

/** Extensions of files with profiles of V8, for Chrome and speedscope. @type {Record<ProfileKind, string>} */
export const PROFILE_EXTENSIONS = { cpu: '.cpuprofile', heap: '.heapprofile' };
const ALL = /** @type {ProfileKind[]} */ (Object.keys(PROFILE_EXTENSIONS));
/** @type {Record<string, ProfileKind[]>} */
const KINDS = { cpu: ['cpu'], heap: ['heap'], all: ALL };
/** A text of `profile`: words and a time, joined by commas: `heap,10s`. */
const PROFILE_TEXT = new RegExp(`^(?:(?:cpu|heap|all|${TIME_WITH_UNITS})(?:,|$))+$`);
/** The service that is recorded runs on this machine. */
const LOCAL = {
  refusedElsewhere: {
    kubernetes: 'would record a service in each pod: run the job without it',
    agents: 'records a service that this machine started: run it without agents',
  },
};

/** Options that record profiles of the service under test. @type {RunOption[]} */
export const PROFILE = [
  {
    name: 'profile',
    flag: '--profile [what]',
    inHelp: 'common',
    type: 'string | boolean',
    parsed: "{ kinds: ('cpu' | 'heap')[], lastMs?: number }",
    schema: { type: ['string', 'boolean'] },
    read: readProfile,
    readsAny: true,
    check: (v) => Array.isArray(v?.kinds),
    implied: { text: 'cpu', values: PROFILE_TEXT },
    expected: `${Object.keys(KINDS).join(', ')}, or the time at the end to record, such as 10s`,
    reaches: 'watches a process',
    about:
      'profile a Node service in the measured time; cpu (active time), heap (allocations) or all; 10s: in the last 10 s',
    ...LOCAL,
  },
];

/** Reads true, `'heap'`, `'10s'`, `'all,10s'`; null: none of these. @type {(given: unknown) => ProfileOption | null} */
function readProfile(given) {
  if (given === false) return { kinds: [] };
  if (given === true) return { kinds: KINDS.cpu };
  if (typeof given === 'object' && given !== null && 'kinds' in given) return /** @type {ProfileOption} */ (given);
  if (typeof given !== 'string' || !PROFILE_TEXT.test(given)) return null;
  const words = given.split(',').filter((word) => word !== '');
  const times = words.filter((word) => !Object.hasOwn(KINDS, word));
  if (times.length > 1 || times.some((time) => !(readMs(time) > 0))) return null;
  const kinds = [...new Set(words.flatMap((word) => KINDS[word] ?? []))];
  return {
    kinds: kinds.length > 0 ? kinds : KINDS.cpu,
    ...(times.length > 0 && { lastMs: readMs(times[0]) }),
  };
}

/** Reports whether a file holds a profile of V8. @type {(path: string) => boolean} */
export function isProfileFile(path) {
  return kindOfFile(path) !== undefined;
}

/** @type {(path: string) => ProfileKind | undefined} */
function kindOfFile(path) {
  const extension = extname(path).toLowerCase();
  return ALL.find((kind) => PROFILE_EXTENSIONS[kind] === extension);
}

/** Reports whether the service is recorded. @type {(options: { profile?: ProfileOption }) => boolean} */
export function isProfiled({ profile }) {
  return (profile?.kinds.length ?? 0) > 0;
}

/**
 * Refuses to record a service that runs elsewhere, and files of -o that would stay empty; `saveTo` are their paths.
 * @type {(options: Record<string, any>, saveTo: string[], problems: Problems) => void}
 */
export function checkProfile({ profile, start }, saveTo, problems) {
  for (const path of saveTo) {
    const kind = kindOfFile(path);
    if (kind === undefined || profile?.kinds.includes(kind)) continue;
    problems.add(`-o ${basename(path)}`, `needs --profile${kind === 'cpu' ? '' : ` ${kind}`}`);
  }
  if (profile === undefined || profile.kinds.length === 0 || start !== undefined) return;
  problems.add('runOptions.profile', "records a Node service that the run starts: add --start 'node app.js'");
}
