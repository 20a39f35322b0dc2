import { formatValue, shortened } from '../../text/format-value.js';

/**
 * @import { Result, RunInfo } from '../types.js'
 * @import { Difference } from './types.js'
 */

const HASH_LENGTH = 8;
/** characters of a fact about a run */
const LONGEST = 300;

/** Facts about a run, in the order of a report. @type {{ name: string, of: (run: RunInfo) => string }[]} */
const FACTS = [
  { name: 'flow', of: ({ flow }) => flow.from },
  { name: 'content of the flow', of: ({ flow }) => flow.hash.slice(0, HASH_LENGTH) },
  { name: 'load', of: ({ shape }) => shape },
  { name: 'target', of: ({ origins }) => origins.join(', ') },
  { name: 'proxy', of: ({ proxies = [] }) => proxies.join(', ') },
  { name: 'version', of: ({ tool }) => tool },
  { name: 'Node', of: ({ machine }) => machine.node },
  { name: 'machine', of: ({ machine }) => `${machine.platform} ${machine.arch}, ${machine.cpus}` },
];

/**
 * The differences between two runs, other than their figures: flow, target, machine, options.
 *
 * @param {Pick<Result, 'run'>} base
 * @param {Pick<Result, 'run'>} other
 * @returns {Difference[]} empty if one of them is not known
 */
export function differencesOf({ run: base }, { run: other }) {
  if (!base || !other) return [];
  const facts = FACTS.map(({ name, of }) => ({ name, base: of(base), other: of(other) }));
  const shown = (/** @type {string} */ text) => shortened(text, LONGEST);
  const names = [...new Set([...Object.keys(base.options), ...Object.keys(other.options)])].sort();
  const options = names.map((name) => ({
    name: `option ${name}`,
    base: optionText(base.options[name]),
    other: optionText(other.options[name]),
  }));
  return [...facts, ...options]
    .filter((one) => one.base !== one.other)
    .map(({ name, base: of, other: to }) => ({ name: shown(name), base: shown(of), other: shown(to) }));
}

/** @type {(value: unknown) => string} */
function optionText(value) {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : formatValue(value);
}
