import { extname } from 'node:path';

import { loadText } from '../../../core/measure/document.js';
import { distinct, withHash } from '../../saved/distinct.js';
import { formatValue } from '../../../core/text/format-value.js';
import { maskText } from '../../../core/text/mask.js';
import { machinesOf, toolText } from '../../../core/report/rows.js';

/** @import { Result, RunInfo, RunLoad } from '../../../core/report/types.js' */

/**
 * The description of a run other than its figures: what comparisons, histories and merged results compare, and what
 * they name as different. Each fact is a text that is another one for every other value, however long it is.
 *
 * @typedef {Pick<Result, 'run' | 'tool' | 'loadGenerators'> & Partial<Pick<Result, 'loadGenerator'>>} Described
 */

/** Options that name a run, or place it in time: runs of one setting may differ in them. */
export const OF_ONE_RUN = [
  ...['title', 'label', 'runId', 'progress', 'quiet', 'percentiles', 'thresholds', 'startAt', 'seed'],
];

/** Reports whether a fact names its run alone. @type {(path: string) => boolean} */
export function isOfOneRun(path) {
  return path.startsWith(OPTION) && OF_ONE_RUN.includes(path.slice(OPTION.length));
}

/** Options of which only a part belongs to the setting. @type {Record<string, (value: any) => string>} */
const PART = {
  // the name of a file may have the time of the run
  log: (value) => extname(String(value)),
  // each shard has the same share of the load
  shard: (value) => `1 of ${value?.of ?? String(value).split('/').at(-1)}`,
};

/** Characters of an option that are searched for secrets. */
const MOST_SEARCHED = 10_000;
const HASH_LENGTH = 8;
/** Different loads that the description of several runs names. */
const MOST_LOADS = 3;
export const OPTION = 'run.options.';
const CONTENT = 'run.flow.sha256';

/** Facts other than options, in the order of a report. */
const FACTS = /** @type {{ path: string, name: string, of: (run: RunInfo, result: Described) => string }[]} */ ([
  { path: 'run.flow.source', name: 'flow', of: ({ flow }) => flow.source },
  { path: CONTENT, name: 'content of the flow', of: ({ flow }) => flow.sha256 },
  { path: 'run.loads', name: 'load', of: loadFact },
  { path: 'loadGenerator.pacing', name: 'pacing', of: (_run, { loadGenerator }) => loadGenerator?.pacing ?? '' },
  { path: 'run.origins', name: 'target', of: ({ origins }) => unique(origins).join(', ') },
  { path: 'run.proxies', name: 'proxy', of: ({ proxies }) => unique(proxies).join(', ') },
  { path: 'tool', name: 'version', of: (_run, result) => toolText(result) },
  { path: 'loadGenerators.machine', name: 'machine', of: (_run, result) => unique(machinesOf(result)).join('; ') },
]);

/** As reports name it: `content of the flow`, `option rate`. @type {(path: string) => string} */
export function factName(path) {
  if (path.startsWith(OPTION)) return `option ${path.slice(OPTION.length)}`;
  return FACTS.find((fact) => fact.path === path)?.name ?? path;
}

/** Returns facts by their paths; none if the run is not known. @type {(result: Described) => Map<string, string>} */
export function factsOf(result) {
  const { run } = result;
  if (!run) return new Map();
  const options = Object.entries(run.options).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    [
      ...FACTS.map(({ path, of }) => /** @type {[string, string]} */ ([path, of(run, result)])),
      ...options.map(
        ([name, value]) => /** @type {[string, string]} */ ([`${OPTION}${name}`, optionFact(name, value)]),
      ),
    ].map(([path, text]) => [distinct(path), distinct(text)]),
  );
}

/** A load in words, which do not show each of many stages. @type {(run: Pick<RunInfo, 'loads'>) => string} */
export function loadFact({ loads: given = [] }) {
  const loads = [...given].sort((a, b) => (a.name < b.name ? -1 : 1));
  const text = loadText({ loads });
  return loads.some(({ stages }) => stages) ? withHash(text, whole(loads)) : text;
}

/** @type {(name: string, value: unknown) => string} */
function optionFact(name, value) {
  const part = Object.hasOwn(PART, name) ? PART[name](value) : value;
  const text = typeof part === 'string' ? part : whole(part);
  const shown =
    typeof part === 'string' ? maskText(part.slice(0, MOST_SEARCHED)) : formatValue(JSON.parse(text), Infinity);
  return text.length > MOST_SEARCHED ? withHash(shown, text) : shown;
}

/** JSON in which the order of keys is no difference. @type {(value: unknown) => string} */
function whole(value) {
  const sorted = (/** @type {string} */ _key, /** @type {any} */ one) =>
    one?.constructor === Object ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one;
  return JSON.stringify(value, sorted) ?? 'null';
}

/** @type {<T>(values: T[]) => T[]} each once, in an order of their own */
function unique(values) {
  return [...new Set(values)].sort();
}

/** Prints `a`, or `a in 2 of 3 runs, b in 1 of 3 runs`. @type {(path: string, values: string[]) => string} */
export function valuesText(path, values) {
  const shown = (/** @type {string} */ value) => (path === CONTENT ? value.slice(0, HASH_LENGTH) : value);
  const all = unique(values);
  if (all.length === 1) return shown(all[0]);
  return all
    .map(
      (value) =>
        `${shown(value) || 'none'} in ${values.filter((one) => one === value).length} of ${values.length} runs`,
    )
    .join(', ');
}

/** Describes several runs as one: what is equal, and what differs as different. @type {(runs: RunInfo[]) => RunInfo} */
export function joinedRun(runs) {
  const [first] = runs;
  const areEqual = (/** @type {(run: RunInfo) => unknown} */ of) =>
    new Set(runs.map((run) => whole(of(run)))).size === 1;
  const isCommon = (/** @type {string} */ name) => areEqual(({ options }) => [options[name]]);
  return {
    ...(first.id !== undefined && areEqual(({ id }) => [id]) && { id: first.id }),
    flow: {
      source: unique(runs.map(({ flow }) => flow.source)).join(', '),
      sha256: areEqual(({ flow }) => flow.sha256) ? first.flow.sha256 : '',
    },
    loads: joinedLoads(runs),
    origins: areEqual(({ origins }) => origins) ? first.origins : unique(runs.flatMap(({ origins }) => origins)),
    proxies: unique(runs.flatMap(({ proxies }) => proxies)),
    options: Object.fromEntries(Object.entries(first.options).filter(([name]) => isCommon(name))),
    ...(first.git && areEqual(({ git }) => git ?? null) && { git: first.git }),
    endReason: first.endReason,
  };
}

/** @type {(runs: RunInfo[]) => RunLoad[]} */
function joinedLoads(runs) {
  const facts = runs.map(loadFact);
  if (new Set(facts).size === 1) return runs[0].loads;
  const texts = unique(facts).map((fact) => `${facts.filter((one) => one === fact).length} with ${fact}`);
  const more = texts.length > MOST_LOADS ? '; …' : '';
  const text = `different loads: ${texts.slice(0, MOST_LOADS).join('; ')}${more}`;
  const all = runs.flatMap(({ loads }) => loads);
  // Shards may differ in their workers alone.
  const isOne = new Set(all.map(({ text: _, ...load }) => whole(load))).size === 1;
  const users = Math.max(0, ...all.map(({ virtualUsers }) => virtualUsers));
  return [isOne ? { ...all[0], text } : { name: 'main', virtualUsers: users, text }];
}
