import { SeveralLoads } from './several-loads.js';

export { planAgain, readLoads } from './options/loads.js';
export { loadsMemory } from './shared-loads.js';
export { sideBySide } from './side-by-side.js';

/** @import { LoadsModule } from '../../core/run/types.js' */

/** @type {LoadsModule['openLoads']} */
export function openLoads(plan, thread) {
  return new SeveralLoads(plan, thread);
}

/** @type {LoadsModule['planTogether']} */
export function planTogether(loads, own) {
  return {
    // It is not known when a load starts that follows the last iteration of another one.
    ms: Math.max(...loads.map(({ from, after }, at) => (after === undefined ? from + own[at].ms : Infinity))),
    count: () => null,
    users: (part) => own.reduce((sum, { users }) => sum + users(part), 0),
    loads: Object.fromEntries(loads.map(({ name }, at) => [name, own[at]])),
  };
}

/** Only the main thread has them. @type {LoadsModule['openFigures']} */
export async function openFigures(plan, parts) {
  const { LoadFigures } = await import('./load-figures.js');
  return new LoadFigures(plan, parts);
}
