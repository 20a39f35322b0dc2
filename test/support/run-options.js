import { inspectRunOptions } from '../../lib/core/run/options/read-options.js';

/** Reads run options, and throws their problems. Layers are weakest first. */
export function readRunOptions(layers, env) {
  const { options, problems } = inspectRunOptions(layers, env);
  problems.throwIfAny();
  return options;
}
