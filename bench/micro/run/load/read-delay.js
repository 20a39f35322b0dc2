// Cost of the load generator's part of each response, and of each turn: node bench/micro/run/load/read-delay.js
import { Histogram } from '../../../../lib/core/measure/histogram.js';
import { cpuTimes } from '../../../../lib/core/measure/thread.js';
import { clock } from '../../../../lib/core/run/clock.js';
import { ReadDelay, loopIdleMs } from '../../../../lib/core/run/load/read-delay.js';

const RESPONSES = 5_000_000;
const TURNS = 300_000;
const delay = new ReadDelay({ clock, idleMs: loopIdleMs, cpuTimes });
const [ofIteration, ofOperation] = [new Histogram(), new Histogram()];

for (let round = 0; round < 3; round++) {
  const from = performance.now();
  const ns = cpuNs(() => {
    for (let i = 0; i < RESPONSES; i++) {
      const now = from + i * 1e-4;
      // of the iteration, of its operation, of the response, of both again
      const part = delay.busyAt(now) + delay.busyAt(now) - delay.at(now) - delay.busyAt(now) - delay.busyAt(now);
      ofIteration.update(0.5 + (i & 1023) * 1e-3 + part * 1e-12);
      ofOperation.update(0.5 + (i & 1023) * 1e-3);
    }
  });
  if (round > 0) console.log(`a response       ${(ns / RESPONSES).toFixed(0).padStart(5)} ns`);
}
for (let round = 0; round < 3; round++) {
  const [without, own] = [await turnNs(false), await turnNs(true)];
  if (round > 0) console.log(`a turn of a loop ${(own - without).toFixed(0).padStart(5)} ns`);
}

function turnNs(isMeasured) {
  return new Promise((resolve) => {
    const before = process.cpuUsage();
    let turns = 0;
    const turn = () => {
      if (isMeasured) delay.at(performance.now());
      if (++turns < TURNS) setImmediate(turn);
      else resolve(sumNs(process.cpuUsage(before)) / TURNS);
    };
    setImmediate(turn);
  });
}

function cpuNs(work) {
  const before = process.cpuUsage();
  work();
  return sumNs(process.cpuUsage(before));
}

function sumNs({ user, system }) {
  return (user + system) * 1000;
}
