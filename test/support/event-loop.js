import { ReadDelay } from '../../lib/core/run/load/read-delay.js';

const TICK_MS = 5;
/** handling one response */
const WORK_MS = 0.01;

/**
 * An event loop on a clock of its own that sends requests at a rate. A server answers each of them after a time that it knows; the loop
 * reads what has arrived when it has no other work.
 *
 * @param {{ rate: number, seconds: number, serviceMs: () => number }} load
 * @param {object} [causes] of delays
 * @param {(n: number) => number} [causes.workMs] what a hook takes after response n
 * @param {(now: number) => number} [causes.cpuWaitMs] how long the thread waits for a CPU when it is woken
 * @param {{ at: number, ms: number }[]} [causes.stops] of the process
 * @param {{ at: number, ms: number }[]} [causes.timers] of the flow, which block the loop
 * @returns {Promise<{ times: { ms: number, leastMs: number, serverMs: number }[], stops: object }>}
 */
export async function runOnLoop({ rate, seconds, serviceMs }, causes = {}) {
  const { workMs = () => 0, cpuWaitMs = () => 0, stops = [], timers = [] } = causes;
  let [now, idle, cpuWait] = [0, 0, 0];
  /** @type {(() => void)[]} */
  let immediates = [];
  const clock = {
    now: () => now,
    afterReads(fn) {
      immediates.push(fn);
      return () => (immediates = immediates.filter((other) => other !== fn));
    },
  };
  const delay = new ReadDelay({ clock, idleMs: () => idle, cpuTimes: () => ({ waitedMs: cpuWait, ranMs: now }) });
  const requests = Array.from({ length: rate * seconds }, (_, i) => ({
    due: (1000 * i) / rate,
    serverMs: serviceMs(),
  }));
  const pauses = [...stops].sort((a, b) => a.at - b.at);
  const blocks = [...timers].sort((a, b) => a.at - b.at);
  const inFlight = [];
  const times = [];
  let [started, tickAt] = [0, TICK_MS];

  /** Time passes, and perhaps a stop in it. */
  const pass = (ms) => {
    now += ms;
    while (pauses.length > 0 && pauses[0].at <= now) now += pauses.shift().ms;
  };
  const turnEnds = async () => {
    await null;
    const due = immediates;
    immediates = [];
    for (const fn of due) fn();
  };
  while (times.length < requests.length) {
    const arrivals = inFlight.map(({ arrivedAt }) => arrivedAt);
    const next = Math.min(tickAt, requests[started]?.due ?? Infinity, blocks[0]?.at ?? Infinity, ...arrivals);
    if (next > now) {
      const from = now;
      pass(next - now);
      const waited = cpuWaitMs(now);
      now += waited;
      cpuWait += waited;
      // the system seems to wait for events meanwhile
      idle += now - from;
    }
    if (tickAt <= now) {
      delay.tick(now);
      tickAt = now + TICK_MS;
    }
    if (blocks.length > 0 && blocks[0].at <= now) pass(blocks.shift().ms);
    while (started < requests.length && requests[started].due <= now) {
      const request = requests[started++];
      inFlight.push({ ...request, sentAt: now, busyMs: delay.busyAt(now), arrivedAt: now + request.serverMs });
      pass(WORK_MS);
    }
    const readable = inFlight.filter(({ arrivedAt }) => arrivedAt <= now);
    for (const response of readable) {
      inFlight.splice(inFlight.indexOf(response), 1);
      const ms = now - response.sentAt;
      times.push({ ms, leastMs: ms - delay.at(now), serverMs: response.serverMs });
      pass(WORK_MS + workMs(times.length));
    }
    await turnEnds();
  }
  return { times, stops: delay.stops };
}
