import { readFlow } from '../../lib/core/flow/compile.js';
import { LoadGenerator } from '../../lib/core/run/load/generator.js';
import { programLayers } from '../../lib/core/run/options/layers.js';
import { inspectRunOptions } from '../../lib/core/run/options/read-options.js';
import { planLoad } from '../../lib/core/run/plan.js';

/** Opens a generator of a flow; the second argument of `open` has its options as a part of a run. */
export const planned = (flow, given, openTransport) => {
  const read = readFlow(flow);
  const { options, problems } = inspectRunOptions(programLayers(read.flow, given), {}, read.flow);
  problems.throwIfAny();
  const plan = planLoad(read.compile(options), options);
  if (openTransport) plan.transport = { load: () => ({ open: openTransport }) };
  return (part) => LoadGenerator.open(plan, part);
};
