import { withNotices } from '../../core/cli/output.js';
import { openBaseline } from './baseline.js';

/** @import { Note } from '../../core/contracts/stats.js' */
/** @import { CompanionModule } from '../../core/cli/types.js' */

/** Compares a run with a saved result. @type {CompanionModule['open']} */
export async function open(settings, { cwd, io }) {
  const baseline = await withNotices(io, (onNotice) => openBaseline(settings, cwd, onNotice));
  /** The reasons why the run may not be comparable with it. @type {Note[]} */
  let differences = [];
  return {
    onBegin: (run) => (differences = baseline.differences(run)),
    addTo: (stats, run) => baseline.addTo(stats, differences, run),
  };
}
