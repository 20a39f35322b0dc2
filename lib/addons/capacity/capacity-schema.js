import { documentSchema, headOfDocuments } from '../../core/measure/document.js';
import {
  amount,
  amountOrNull,
  closed,
  count,
  definitions,
  listOf,
  loadGeneratorEntry,
  note,
  notes,
  rate,
  share,
  shareOrNull,
  text,
  texts,
  time,
  timeOrNull,
} from '../../core/measure/schema-parts.js';
import { STATUSES } from '../../core/measure/validity.js';

/** @import { CapacityConclusion, CapacityStep } from './capacity.js' */

/** The first keys of the result of a search for the capacity. */
export const CAPACITY_HEAD = headOfDocuments('capacity');
/** How a search can end. @type {CapacityConclusion['code'][]} */
export const CAPACITY_CODES = ['found', 'atLeast', 'none', 'imprecise', 'unrecovered'];
/** How a step can end. @type {CapacityStep['outcome']['status'][]} */
export const STEP_STATUSES = ['passed', 'failed', 'saturated'];

const rateOrNull = { ...amountOrNull, description: '/s' };
const flag = { type: 'boolean' };
const estimated = closed({ value: { type: 'number' }, error: amount });

/** Returns the JSON Schema of a capacity. */
export function capacitySchema() {
  const keys = closed(
    {
      startedAt: text,
      endedAt: text,
      by: { enum: ['rate', 'concurrency'] },
      within: { ...amount, description: 'ratio' },
      conclusion: conclusion(),
      steps: listOf(step()),
    },
    {
      scalability: closed(
        { fits: flag, message: text },
        { rate: estimated, contention: estimated, coherence: estimated, peak: amountOrNull },
      ),
      tool: closed({ name: text, version: text }),
      loadGenerators: listOf(generator()),
      run: closed({ flow: closed({ source: text, sha256: text }), origins: texts, options: { type: 'object' } }),
      outcome: closed({ passed: flag, exitCode: { type: 'integer' }, reasons: notes }),
    },
  );
  return documentSchema(CAPACITY_HEAD, {
    title: 'A capacity that bench-rest found',
    about: 'What bench-rest capacity --format json prints. Times are milliseconds.',
    keys,
    definitions: { count: definitions().count, note: definitions().note },
  });
}

function conclusion() {
  return closed({
    code: { enum: CAPACITY_CODES },
    message: text,
    load: amountOrNull,
    interval: closed({ low: amount, high: amountOrNull }),
    confirmed: flag,
    iterations: closed({ completedRate: rateOrNull }),
    knee: amountOrNull,
    limit: note,
  });
}

function step() {
  return closed(
    {
      role: { enum: ['search', 'confirmation', 'settling'] },
      load: closed({ virtualUsers: count, duration: time, warmup: time }, { rate }),
      resultId: { type: ['string', 'null'] },
      outcome: closed({ passed: flag, status: { enum: STEP_STATUSES }, reasons: notes }),
      validity: closed({ status: { enum: STATUSES }, reasons: notes }),
      iterations: closed({ completedRate: rate }),
      responseTime: closed({ median: timeOrNull, p95: timeOrNull, p99: timeOrNull, max: timeOrNull }),
      errors: closed({ count, share: shareOrNull }),
      concurrency: amount,
      backlogGrowth: rate,
      loadGenerator: closed({ eventLoopUtilization: share, lostShare: share }),
    },
    { servers: listOf(closed({ name: text, cpuCores: { ...amount, description: 'cores' } })) },
  );
}

/** The entry of a load generator in a result, without its figures. */
function generator() {
  const { name, shard, toolVersion, workers, machine } = loadGeneratorEntry().properties;
  return closed({ name, workers }, { shard, toolVersion, machine });
}
