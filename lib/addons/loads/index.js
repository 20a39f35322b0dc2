import { SeveralLoads } from './several-loads.js';

export { planAgain, readLoads } from './options/loads.js';
export { sideBySide } from './side-by-side.js';

/** @import { LoadsModule } from '../../core/run/types.js' */

/** @type {LoadsModule['openLoads']} */
export function openLoads(plan, thread) {
  return new SeveralLoads(plan, thread);
}

/** Only the main thread has them. @type {LoadsModule['openFigures']} */
export async function openFigures(plan, parts) {
  const { LoadFigures } = await import('./load-figures.js');
  return new LoadFigures(plan, parts);
}
