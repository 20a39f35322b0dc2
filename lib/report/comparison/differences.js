import { loadText } from '../../measure/document.js';
import { formatValue, shortened } from '../../text/format-value.js';
import { machineTexts, toolText } from '../rows.js';

/** @import { Difference } from '../../contracts/comparison.js' */
/** @import { Result, RunInfo } from '../types.js' */

const HASH_LENGTH = 8;
/** Characters of a fact about a run. */
const LONGEST = 300;
const OPTION = 'run.options.';

/**
 * Facts about a run, in the order of a report.
 * @type {{ path: string, name: string, of: (run: RunInfo, result: Described) => string }[]}
 */
const FACTS = [
  { path: 'run.flow.source', name: 'flow', of: ({ flow }) => flow.source },
  { path: 'run.flow.sha256', name: 'content of the flow', of: ({ flow }) => flow.sha256.slice(0, HASH_LENGTH) },
  { path: 'run.loads', name: 'load', of: loadText },
  { path: 'loadGenerator.pacing', name: 'pacing', of: (_run, { loadGenerator }) => loadGenerator?.pacing ?? '' },
  { path: 'run.origins', name: 'target', of: ({ origins }) => origins.join(', ') },
  { path: 'run.proxies', name: 'proxy', of: ({ proxies = [] }) => proxies.join(', ') },
  { path: 'tool', name: 'version', of: (_run, result) => toolText(result) },
  { path: 'loadGenerators.machine', name: 'machine', of: (_run, result) => machineTexts(result).join(', ') },
];

/**
 * The differences between two runs, other than their figures: flow, target, machine, options.
 *
 * @typedef {Pick<Result, 'run' | 'tool' | 'loadGenerators'> & Partial<Pick<Result, 'loadGenerator'>>} Described
 *
 * @param {Described} one
 * @param {Described} two
 * @returns {Difference[]} empty if one of them is not known
 */
export function differencesOf(one, two) {
  const [base, other] = [one.run, two.run];
  if (!base || !other) return [];
  const facts = FACTS.map(({ path, of }) => ({ path, base: of(base, one), new: of(other, two) }));
  const names = [...new Set([...Object.keys(base.options), ...Object.keys(other.options)])].sort();
  const options = names.map((name) => ({
    path: `${OPTION}${name}`,
    base: optionText(base.options[name]),
    new: optionText(other.options[name]),
  }));
  const shown = (/** @type {string} */ text) => (text === '' ? null : shortened(text, LONGEST));
  return [...facts, ...options]
    .filter((fact) => fact.base !== fact.new)
    .map((fact) => ({ path: shortened(fact.path, LONGEST), base: shown(fact.base), new: shown(fact.new) }));
}

/** As reports name it: `content of the flow`, `option rate`. @type {(path: string) => string} */
export function differenceName(path) {
  if (path.startsWith(OPTION)) return `option ${path.slice(OPTION.length)}`;
  return FACTS.find((fact) => fact.path === path)?.name ?? path;
}

/** @type {(value: unknown) => string} */
function optionText(value) {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : formatValue(value);
}
