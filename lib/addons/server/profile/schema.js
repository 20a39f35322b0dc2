import { amount, closed, count, listOf, share, text, texts, time } from '../../../core/measure/schema-parts.js';
import { MOST_FRAMES, MOST_NODES, PROFILE_KINDS, PROFILE_ORIGINS, PROFILE_UNITS } from './kinds.js';

const PROFILED = { kind: { enum: PROFILE_KINDS }, unit: { enum: Object.values(PROFILE_UNITS) } };
const ORIGIN = { enum: Object.keys(PROFILE_ORIGINS) };
/** Numbers of the nodes of a tree, in the order of the nodes. */
const column = (/** @type {object} */ items) => listOf(items, MOST_NODES);
const places = { ...column({ type: 'integer', minimum: -1 }), description: 'of the calling node; -1: none' };

/** Returns the schema of the profiles of a service. */
export function profilesSchema() {
  const frame = closed(
    { name: text, origin: ORIGIN, self: amount, total: amount },
    { file: text, line: count, column: count, hotLine: count, package: text },
  );
  const profile = closed(
    {
      ...PROFILED,
      total: amount,
      duration: time,
      processes: listOf(closed({ name: text, total: amount }, { isWorker: { const: true } })),
      frames: listOf(frame, MOST_FRAMES),
      tree: closed({ frames: column(count), parents: places, self: column(amount) }),
    },
    {
      operations: closed({
        rows: listOf(closed({ name: text, value: amount, direct: amount })),
        others: amount,
        shared: amount,
      }),
      overhead: share,
      files: texts,
    },
  );
  return listOf(profile, 2);
}

/** Returns the schema of the profiles of two sides. Values are per request. */
export function comparedProfiles() {
  const place = { file: text, line: count, package: text };
  const frame = () => closed({ name: text, origin: ORIGIN }, { ...place, column: count });
  const changed = closed(
    { name: text, origin: ORIGIN, base: amount, new: amount },
    { ...place, column: count, by: frame() },
  );
  const sides = closed({
    ...PROFILED,
    ...{ base: amount, new: amount },
    functions: listOf(changed),
    frames: listOf(frame(), MOST_NODES),
    tree: closed({ frames: column(count), parents: places, base: column(amount), new: column(amount) }),
  });
  return listOf(sides, 2);
}
