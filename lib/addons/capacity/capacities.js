import { basename, extname, resolve } from 'node:path';

import schema from '../../../capacity.schema.json' with { type: 'json' };
import { makeError } from '../../core/ground/errors.js';
import { shapeOf } from '../../core/ground/schema-shape.js';
import { ShapeError, rebuild } from '../../core/ground/shape.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { readPercent } from '../../core/ground/units.js';
import { SCHEMA_VERSION } from '../../core/measure/document.js';
import { FileRefusal, readTextFile } from '../../core/process/read-file.js';
import { CAPACITY_HEAD } from './head.js';
import { compareCapacities, withCapacityLimits } from './report/comparison.js';
import { CAPACITY_COMPARISON_FORMATS, CAPACITY_FORMATS } from './formats.js';
import { parseJson } from '../../core/text/parse-json.js';
import { usageError } from '../../core/cli/usage-error.js';
import { openDocument, printDocument } from '../compare/print-document.js';

/** @import { Capacity } from './capacity.js' */
/** @import { FlowInput } from '../../core/flow/source/types.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { Demands } from '../../core/measure/outcome.js' */
/** @import { Io, OutputOptions } from '../../core/cli/types.js' */
/** @import { CapacityOutput } from './requests.js' */
/** @import { CompareRequest } from '../compare/requests.js' */
/** @import { OpenDocument } from '../compare/print-document.js' */

/**
 * Checks where a capacity is written before anything is run.
 * @throws {Error} E_USAGE
 * @type {(options: CapacityOutput, cwd: string, source: FlowInput | null) => OpenDocument}
 */
export function openCapacityOutput({ format, outputs, color }, cwd, source) {
  const sources = source && 'argument' in source ? [source.argument] : [];
  return openDocument({ format, outputs, color, cwd, sources, formats: CAPACITY_FORMATS });
}

/**
 * Prints a saved capacity, and writes it in other formats.
 * @throws {Error} E_USAGE: capacities do not have the format, or an option is about results of runs
 * @type {(capacity: Capacity, options: Demands & OutputOptions & { path: string }, io: Io) => Promise<Set<Reason>>}
 */
export function reportCapacity(capacity, { format = 'text', outputs, color, path, ...others }, io) {
  const { full, latency, quiet, requireValid } = others;
  if (full || latency || quiet || requireValid)
    throw usageError(
      `${path} is a capacity: --full, --latency, --quiet and --require-valid are for results of runs; leave them out`,
    );
  const cwd = workingFolder(io);
  const output = {
    format,
    outputs,
    color,
    cwd,
    formats: CAPACITY_FORMATS,
    sources: [path],
    role: 'the capacity itself',
  };
  const reasons = /** @type {Reason[]} */ ((capacity.outcome?.reasons ?? []).map(({ code }) => code));
  return printDocument(capacity, openDocument(output), { reasons }, io);
}

/** A search has at most a dozen steps. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads a capacity that was saved with `-o x.json`; null if the file is something else, which other readers explain.
 * @throws {Error} E_RESULT: it is damaged, or of a newer version that this one cannot read
 * @type {(path: string, cwd: string) => Capacity | null}
 */
export function readCapacity(path, cwd) {
  if (extname(path).toLowerCase() !== '.json') return null;
  const absolute = resolve(cwd, path);
  const value = valueIn(absolute);
  if (value?.type !== CAPACITY_HEAD.type) return null;
  try {
    // a later version adds keys, and raises the version when it changes one
    return rebuild(shapeOf(schema), { ...value, ...CAPACITY_HEAD }, { name: 'capacity', dropsUnknown: true });
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const isNewer = value.schemaVersion > SCHEMA_VERSION;
    throw makeError('E_RESULT', {
      path: absolute,
      reason: `is damaged at ${error.path}: ${error.reason}`,
      cure: isNewer ? 'use a newer bench-rest' : 'it is truncated or was changed: save it again',
    });
  }
}

/** @type {(path: string) => any} */
function valueIn(path) {
  try {
    const text = readTextFile(path, { maxBytes: MOST_BYTES });
    return parseJson(text).value;
  } catch (error) {
    if (error instanceof FileRefusal) return null;
    throw error;
  }
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
  const found = paths.find((_, i) => capacities[i] !== null);
  if (found === undefined) return null;
  const [a, b] = capacities;
  if (paths.length !== 2 || base.length !== 1 || !a || !b)
    throw usageError(`${found} is a capacity: compare it with one other capacity`);
  if (a.by !== b.by) throw usageError(`${base[0]} is a capacity by ${a.by}, and ${other[0]} by ${b.by}`);
  const { format, outputs, maxRegression, noise, history, paired, color } = options;
  if (noise.length > 0 || history !== undefined || paired)
    throw usageError('--noise, --history and --paired are for results of runs: capacities have their own intervals');
  const limits = maxRegression.map(readLimit);
  const [one, two] = [basename(base[0]), basename(other[0])];
  const comparison = withCapacityLimits(
    compareCapacities(a, b, one === two ? [base[0], other[0]] : [one, two]),
    limits,
  );
  const { reasons } = comparison.outcome;
  const output = openDocument({ format, outputs, color, cwd, formats: CAPACITY_COMPARISON_FORMATS, sources: paths });
  const notices = reasons.map(({ message }) => message);
  return printDocument(comparison, output, { reasons: reasons.length > 0 ? ['regression'] : [], notices }, io);
}

/** @type {(text: string) => { expression: string, bound: number }} bound: a share */
function readLimit(text) {
  const [, percent] = /^(?:capacity=)?(\d+(?:\.\d+)?)%$/.exec(text.trim()) ?? [];
  if (percent === undefined) throw usageError(`--max-regression ${text}: of capacities it is a share, such as 10%`);
  return { expression: text.trim(), bound: readPercent(percent) };
}
