import { CAPACITY_HEAD, CAPACITY_OUTCOMES, documentSchema, headSchema } from '../measure/document.js';
import { closed, machineSchema, opened } from '../measure/result-schema.js';
import { STATUSES } from '../measure/validity.js';

const text = { type: 'string' };
const amount = { type: 'number', minimum: 0 };
const amountOrNull = { type: ['number', 'null'], minimum: 0 };
const count = { type: 'integer', minimum: 0 };
const flag = { type: 'boolean' };
const texts = { type: 'array', items: text };
const note = closed({ code: text, message: text });
const estimated = closed({ value: { type: 'number' }, error: amount });

/**
 * Returns the JSON Schema of a capacity.
 * @param {{ isOpen?: boolean }} [options] isOpen: with any further keys, as `capacity.schema.json` allows them: later
 *   versions add some
 * @returns {Record<string, any>}
 */
export function capacitySchema({ isOpen = false } = {}) {
  const keys = closed(
    {
      ...headSchema(CAPACITY_HEAD),
      startedAt: text,
      endedAt: text,
      by: { enum: ['rate', 'concurrency'] },
      within: amount,
      conclusion: conclusion(),
      steps: { type: 'array', items: step() },
    },
    {
      scalability: closed(
        { fits: flag, message: text },
        { rate: estimated, contention: estimated, coherence: estimated, peak: amountOrNull },
      ),
      tool: closed({ name: text, version: text }),
      machines: { type: 'array', items: machineSchema() },
      run: closed({ flow: closed({ source: text, sha256: text }), origins: texts, options: { type: 'object' } }),
      outcome: closed({ passed: flag, exitCode: { type: 'integer' }, reasons: { type: 'array', items: note } }),
    },
  );
  const schema = documentSchema(CAPACITY_HEAD, {
    title: 'A capacity that bench-rest found',
    about: 'What bench-rest capacity --format json prints. Times are milliseconds.',
    keys,
    definitions: { count },
  });
  return isOpen ? opened(schema) : schema;
}

function conclusion() {
  return closed({
    outcome: { enum: CAPACITY_OUTCOMES },
    load: amountOrNull,
    interval: closed({ low: amount, high: amountOrNull }),
    confirmed: flag,
    throughput: amountOrNull,
    knee: amountOrNull,
    limit: note,
    sentence: text,
  });
}

function step() {
  return closed({
    role: { enum: ['search', 'confirmation', 'settling'] },
    load: closed({ virtualUsers: count, duration: amount, warmup: amount }, { rate: amount }),
    resultId: { type: ['string', 'null'] },
    passed: flag,
    verdict: { enum: ['passed', 'failed', 'saturated'] },
    reasons: { type: 'array', items: note },
    validity: { enum: STATUSES },
    figures: closed(
      {
        throughput: amount,
        p50: amountOrNull,
        p95: amountOrNull,
        p99: amountOrNull,
        max: amountOrNull,
        errors: count,
        errorShare: amountOrNull,
        concurrency: amount,
        backlogGrowth: amount,
        loadGeneratorUtilization: amount,
        loadGeneratorLost: amount,
      },
      { serverCores: amount },
    ),
  });
}
