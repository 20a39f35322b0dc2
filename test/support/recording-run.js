import { readFlow } from '../../lib/core/flow/compile.js';
import { Benchmark } from '../../lib/core/run/benchmark.js';
import { originOf } from '../../lib/core/run/flow-source.js';
import { programLayers } from '../../lib/core/run/options/layers.js';
import { createPlan } from '../../lib/core/run/plan.js';
import { readRunOptions } from './run-options.js';

/** A run that logs what the benchmark emits; `onAttach` gets its controls. */
export function recordingRun(onAttach = () => {}) {
  const log = [];
  return {
    log,
    attach: onAttach,
    onPhase: (phase) => log.push(phase),
    emit: (name, ...values) => log.push(name) && values.length > 0,
    listenerCount: () => 1,
    forProgram: (stats) => stats,
  };
}

/** Runs the benchmark of a flow. */
export function benchmark(run, flow, given) {
  const read = readFlow(flow);
  const options = readRunOptions(programLayers(read.flow, { limit: 1, iterations: 2, ...given }));
  return new Benchmark(run, createPlan(read, options, originOf(flow))).run();
}
