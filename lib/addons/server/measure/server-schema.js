import {
  amount,
  byteRate,
  bytes,
  closed,
  cores,
  count,
  listOf,
  notes,
  rate,
  share,
  text,
  thread,
  time,
  timeOrNull,
} from '../../../core/measure/schema-parts.js';

/** Returns the schema of the figures of servers. */
export function serversSchema() {
  const server = closed(
    { name: text, source: { enum: ['process', 'thread'] }, cpuTime: time },
    {
      ...{ ...thread(), cpuCores: cores, cpuTimePerRequest: timeOrNull },
      memory: closed({ mean: bytes, peak: bytes }, { growth: grown(bytes) }),
      ...{ cores: count, endedAfter: time, restarts: count, busiestThread: cores },
      ...{ busiestThreadWait: cores, busyThreads: amount },
      ...{ cpuWait: amount, machineCores: cores, contextSwitchRate: rate },
      ...{ openFiles: level(amount), threads: level(amount) },
      io: closed({ readRate: byteRate, writtenRate: byteRate }),
      network: closed({ receivedRate: byteRate, sentRate: byteRate }),
      processes: closed({
        peak: count,
        details: listOf(closed({ pid: count, name: text, cpuTime: time, memory: bytes })),
      }),
      ...{ gcShare: share, heap: level(bytes), resources: level(amount) },
      nodeThreads: listOf(nodeThread()),
      series: closed({
        interval: { type: 'number', exclusiveMinimum: 0, description: 'ms' },
        points: listOf(serverPoint(), 1000),
      }),
      conclusions: notes,
    },
  );
  return listOf(server);
}

/** @type {(of: Record<string, unknown>) => Record<string, unknown>} */
function grown({ description, ...of }) {
  const per = description === undefined ? 'per minute' : `${description} per minute`;
  return { ...of, type: ['number', 'null'], description: per };
}

/** @type {(of: Record<string, unknown>) => Record<string, unknown>} */
function level(of) {
  return closed({ peak: of }, { growth: grown(of) });
}

function nodeThread() {
  const { eventLoopUtilization, eventLoopDelay, gcTime } = thread();
  return closed(
    {
      ...{ id: text, pid: count, thread: count, name: text, version: text },
      ...{ eventLoopUtilization, eventLoopDelay, gcTime, gcShare: share },
      ...{ memory: closed({ heap: bytes, external: bytes, limit: bytes }), resources: count },
    },
    { losses: closed({ errors: count, dropped: count }) },
  );
}

function serverPoint() {
  return closed(
    {
      ...{ at: time, answered: count, cpuCores: cores, busiestThread: cores, busiestThreadWait: cores },
      ...{ busyThreads: amount, cpuWait: amount, machineCores: cores, memory: bytes },
      ...{ threads: amount, processes: amount, contextSwitchRate: rate },
    },
    {
      ...{ openFiles: amount, readRate: byteRate, writtenRate: byteRate },
      ...{ receivedRate: byteRate, sentRate: byteRate },
      ...{ eventLoopUtilization: share, eventLoopDelay: time, gcShare: share, heap: bytes, resources: amount },
    },
  );
}
