import { basename } from 'node:path';

import { workingFolder } from '../../ground/system-errors.js';
import { compareCapacities, renderMarkdown, renderText } from '../../report/capacity/comparison.js';
import { render as renderJson } from '../../report/formats/json.js';
import { safeCopy } from '../../text/safe.js';
import { usageError } from '../usage-error.js';
import { printAs } from './print-capacity.js';
import { readCapacity } from './read-capacity.js';

/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { CompareRequest, Io } from '../types.js' */

/** Characters of a text. */
const LONGEST = 1000;

/** The formats of a comparison of capacities. */
const FORMATS = [
  { name: 'text', extension: '.txt', load: async () => ({ render: safely(renderText) }) },
  { name: 'json', extension: '.json', load: async () => ({ render: renderJson }) },
  { name: 'markdown', extension: '.md', load: async () => ({ render: safely(renderMarkdown) }) },
];

/**
 * Escapes all texts.
 * @type {<O>(render: (value: any, options?: O) => string) => (value: any, options?: O) => string}
 */
function safely(render) {
  return (value, options) => render(safeCopy(value, LONGEST), options);
}

/**
 * Compares two saved capacities; null if the files are results of runs.
 * @throws {Error} E_USAGE: one file is a capacity and the other one is not, or an option is about runs
 * @type {(request: CompareRequest, io: Io) => Promise<Set<Reason>> | null}
 */
export function compareSavedCapacities({ base, other, ...options }, io) {
  const cwd = workingFolder(io);
  const paths = [...base, ...other];
  const capacities = paths.map((path) => readCapacity(path, cwd));
  const [first] = paths.filter((_, i) => capacities[i] !== null);
  if (first === undefined) return null;
  const [a, b] = capacities;
  if (paths.length !== 2 || base.length !== 1 || !a || !b)
    throw usageError(`${first} is a capacity: compare it with one other capacity`);
  if (a.by !== b.by) throw usageError(`${base[0]} is a capacity by ${a.by}, and ${other[0]} by ${b.by}`);
  const { format, outputs, maxRegression, noise, history, paired, color } = options;
  if (noise.length > 0 || history !== undefined || paired)
    throw usageError('--noise, --history and --paired are for results of runs: capacities have their own intervals');
  const limits = maxRegression.map(readLimit);
  const [one, two] = [basename(base[0]), basename(other[0])];
  const comparison = compareCapacities(a, b, one === two ? [base[0], other[0]] : [one, two]);
  const { change, verdict } = comparison;
  const isBroken = verdict === 'worse' && limits.some((limit) => -(change ?? -1) > limit);
  const regressions = isBroken ? [`${comparison.sentence}: more than --max-regression allows`] : [];
  return printAs(
    { ...comparison, regressions },
    { format, outputs, color, cwd, formats: FORMATS, sources: paths },
    { reasons: isBroken ? ['regression'] : [], notices: regressions },
    io,
  );
}

/** @type {(text: string) => number} a share */
function readLimit(text) {
  const [, percent] = /^(?:capacity=)?(\d+(?:\.\d+)?)%$/.exec(text.trim()) ?? [];
  if (percent === undefined) throw usageError(`--max-regression ${text}: of capacities it is a share, such as 10%`);
  return Number(percent) / 100;
}
