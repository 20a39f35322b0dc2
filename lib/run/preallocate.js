/**
 * @import { CompiledFlow, Request, Step } from '../flow/types.js'
 * @import { Rendered } from '../iteration/iteration.js'
 */

/**
 * The requests of the first iterations, made before the clock starts.
 *
 * @param {CompiledFlow} flow
 * @param {number} count
 * @returns {{ take: (index: number) => Rendered | undefined }} each can be taken once
 */
export function preallocate(flow, count) {
  /** @type {(Rendered | undefined)[]} */
  const rendered = Array.from({ length: count }, (_, index) => {
    /** @type {(steps: Step[]) => (Request | null)[]} */
    const render = (steps) =>
      steps.map((step) => (step.beforeHooks.length > 0 ? null : (step.request ?? step.render({ index }))));
    return { beforeMain: render(flow.beforeMain), main: render(flow.main), afterMain: render(flow.afterMain) };
  });
  return {
    take(index) {
      const taken = rendered[index];
      if (taken) rendered[index] = undefined;
      return taken;
    },
  };
}
