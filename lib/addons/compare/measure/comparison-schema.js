import { documentSchema, headOfDocuments } from '../../../core/measure/document.js';
import {
  amount,
  amountOrNull,
  bounds,
  closed,
  count,
  definitions,
  listOf,
  load,
  loadGeneratorEntry,
  note,
  notes,
  nullable,
  outcome,
  rate,
  share,
  shareOrNull,
  text,
  texts,
  timeOrNull,
  times,
} from '../../../core/measure/schema-parts.js';
import { STATUSES } from '../../../core/measure/validity.js';
import { CAPACITY_CODES, STEP_STATUSES } from '../../capacity/capacity-schema.js';
import { comparedProfiles } from '../../server/profile/schema.js';

const textOrNull = { type: ['string', 'null'] };

/** The first keys of a comparison. */
export const COMPARISON_HEAD = headOfDocuments('comparison');

/** How changes are tested. */
const METHODS = ['pairs', 'runs', 'sequence', 'noise', 'none'];

/** Returns the JSON Schema of a comparison, of runs or of capacities. */
export function comparisonSchema() {
  const figures = comparedFigures();
  const [change, verdict] = ['change', 'verdict'].map((key) => figures.items.properties[key]);
  const { interval } = figures.items.properties;
  const keys = closed(
    {
      of: { enum: ['run', 'capacity'] },
      tool: closed({ name: text, version: text }),
      outcome: outcome({ side: { enum: ['base', 'new'] } }),
      conclusion: closed({ figure: text, change, interval, verdict, message: text }, { reason: note }),
      sides: closed({ base: side(), new: side() }),
      figures,
      operations: comparedOperations(),
      failures: listOf(failures()),
      thresholds: listOf(closed({ expression: text, base: count, new: count })),
      regressions: regressions(),
      method: { enum: [...METHODS, 'intervals'] },
      tests: count,
      differences: listOf(closed({ path: text, base: textOrNull, new: textOrNull })),
      warnings: notes,
    },
    { untested: note, profiles: comparedProfiles() },
  );
  return documentSchema(COMPARISON_HEAD, {
    title: 'A comparison of bench-rest',
    about:
      'What bench-rest compare --format json prints: base is A of the reports, new is B. Changes and their intervals are shares: 0.1 is 10 % more.',
    keys,
    definitions: definitions(),
  });
}

/** Returns the schema of the changes of a result against an earlier one. */
export function baselineSchema() {
  return closed(
    {
      from: text,
      method: { enum: METHODS },
      ...{ figures: comparedFigures(), operations: comparedOperations(), regressions: regressions(), warnings: notes },
    },
    { id: text, startedAt: text, untested: note, profiles: comparedProfiles() },
  );
}

export function comparedFigures() {
  const change = { ...nullable, description: 'ratio' };
  const figure = closed(
    {
      ...{ figure: text, unit: text, base: nullable, new: nullable, change },
      interval: { ...closed({ low: change, high: change }), type: ['object', 'null'] },
      p: nullable,
      verdict: { enum: ['better', 'worse', 'noise', 'unknown'] },
    },
    { reason: note, confidence: closed({ base: bounds(), new: bounds() }) },
  );
  return listOf(figure);
}

function comparedOperations() {
  const counts = { ...closed({ count, errors: count }), type: ['object', 'null'] };
  const operation = closed({ name: text, phase: text, base: counts, new: counts, figures: comparedFigures() });
  return listOf(operation);
}

function regressions() {
  const limit = closed(
    {
      ...{ expression: text, figure: text, bound: { ...amount, description: 'ratio' } },
      actual: { ...nullable, description: 'ratio' },
      ...{ unit: { const: 'ratio' }, passed: { type: 'boolean' } },
    },
    { message: text, undecided: { const: true } },
  );
  return listOf(limit);
}

function failures() {
  return closed({
    ...{ figure: text, unit: { const: 'ratio' }, base: shareOrNull, new: shareOrNull },
    p: nullable,
    verdict: { enum: ['worse', 'noise', 'unknown'] },
  });
}

function side() {
  return closed(
    { label: text },
    {
      runs: count,
      iterations: closed({
        ...{ started: count, failed: count, failedShare: shareOrNull, unsent: count, unsentShare: share },
      }),
      errors: closed({ count }),
      validity: closed({ status: { enum: STATUSES }, reasons: notes }),
      ...{ title: text, startedAt: text, tool: closed({ name: text, version: text }) },
      run: closed(
        { flow: closed({ source: text, sha256: text }), loads: listOf(load()), origins: texts },
        { proxies: texts },
      ),
      loadGenerators: listOf(loadGeneratorEntry()),
      responseTime: times,
      capacity: closed({
        code: { enum: CAPACITY_CODES },
        message: text,
        load: amountOrNull,
        interval: closed({ low: amountOrNull, high: amountOrNull }),
        limit: note,
        steps: listOf(comparedStep()),
      }),
    },
  );
}

/** A step of the search for a capacity. */
function comparedStep() {
  return closed({
    load: amount,
    status: { enum: STEP_STATUSES },
    iterations: closed({ completedRate: rate }),
    responseTime: closed({ median: timeOrNull, p95: timeOrNull, p99: timeOrNull }),
    errors: closed({ share: shareOrNull }),
  });
}
