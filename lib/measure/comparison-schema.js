import { CAPACITY_CODES, COMPARISON_HEAD, STEP_STATUSES, documentSchema, headSchema } from './document.js';
import {
  METHODS,
  closed,
  comparedFigures,
  comparedOperations,
  comparedProfiles,
  definitions,
  load,
  loadGeneratorEntry,
  opened,
  outcome,
  regressions,
} from './result-schema.js';
import { STATUSES } from './validity.js';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const count = { $ref: '#/$defs/count' };
const note = { $ref: '#/$defs/note' };
const notes = { type: 'array', items: note };
const share = { type: 'number', minimum: 0, maximum: 1, description: 'ratio' };
const shareOrNull = { ...share, type: ['number', 'null'] };
const amountOrNull = { type: ['number', 'null'], minimum: 0 };
const timeOrNull = { ...amountOrNull, description: 'ms' };
const textOrNull = { type: ['string', 'null'] };

/**
 * Returns the JSON Schema of a comparison, of runs or of capacities.
 * @param {{ isOpen?: boolean }} [options] isOpen: with any further keys, as `comparison.schema.json` allows them: later
 *   versions add some
 * @returns {Record<string, any>}
 */
export function comparisonSchema({ isOpen = false } = {}) {
  const figures = comparedFigures();
  const [change, verdict] = ['change', 'verdict'].map((key) => figures.items.properties[key]);
  const { interval } = figures.items.properties;
  const keys = closed(
    {
      ...headSchema(COMPARISON_HEAD),
      of: { enum: ['run', 'capacity'] },
      tool: closed({ name: text, version: text }),
      outcome: outcome({ side: { enum: ['base', 'new'] } }),
      conclusion: closed({ figure: text, change, interval, verdict, message: text }, { reason: note }),
      sides: closed({ base: side(), new: side() }),
      figures,
      operations: comparedOperations(),
      failures: { type: 'array', items: failures() },
      thresholds: { type: 'array', items: closed({ expression: text, base: count, new: count }) },
      regressions: regressions(),
      method: { enum: [...METHODS, 'intervals'] },
      tests: count,
      differences: { type: 'array', items: closed({ path: text, base: textOrNull, new: textOrNull }) },
      warnings: notes,
    },
    { untested: note, profiles: comparedProfiles() },
  );
  const schema = documentSchema(COMPARISON_HEAD, {
    title: 'A comparison of bench-rest',
    about:
      'What bench-rest compare --format json prints: base is A of the reports, new is B. Changes and their intervals are shares: 0.1 is 10 % more.',
    keys,
    definitions: definitions(),
  });
  return isOpen ? opened(schema) : schema;
}

function failures() {
  return closed({
    ...{ figure: text, unit: { const: 'ratio' }, base: shareOrNull, new: shareOrNull },
    p: { type: ['number', 'null'] },
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
        { flow: closed({ source: text, sha256: text }), loads: { type: 'array', items: load() }, origins: texts },
        { proxies: texts },
      ),
      loadGenerators: { type: 'array', items: loadGeneratorEntry() },
      responseTime: { $ref: '#/$defs/histogram', description: 'ms' },
      capacity: closed({
        code: { enum: CAPACITY_CODES },
        message: text,
        load: amountOrNull,
        interval: closed({ low: amountOrNull, high: amountOrNull }),
        limit: note,
        steps: { type: 'array', items: comparedStep() },
      }),
    },
  );
}

/** A step of the search for a capacity. */
function comparedStep() {
  return closed({
    load: { type: 'number', minimum: 0 },
    status: { enum: STEP_STATUSES },
    iterations: closed({ completedRate: { type: 'number', minimum: 0, description: '/s' } }),
    responseTime: closed({ median: timeOrNull, p95: timeOrNull, p99: timeOrNull }),
    errors: closed({ share: shareOrNull }),
  });
}
