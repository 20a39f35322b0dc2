import { offered } from '../ground/addons.js';

/** @import { Problems } from '../ground/types.js' */
/** @import { Participant, ParticipantContext, ParticipantEntry } from './types.js' */

/** @type {ParticipantEntry[]} */
const ENTRIES = offered('participants');

/**
 * Reports what participants cannot do with these options; `files` are paths of files that they shall write.
 * @type {(options: Record<string, any>, files: string[], problems: Problems) => void}
 */
export function checkParticipants(options, files, problems) {
  for (const { check } of ENTRIES) check?.(options, files, problems);
}

/** Reports whether a participant writes the file of a path itself. @type {(path: string) => boolean} */
export function isWrittenByRun(path) {
  return ENTRIES.some(({ writes }) => writes?.(path));
}

/** Opens what takes part in a run. @type {(context: ParticipantContext) => Promise<Participant[]>} */
export function openParticipants(context) {
  const own = ENTRIES.filter(({ suits }) => suits(context.options));
  return Promise.all(own.map(async ({ load }) => (await load()).open(context)));
}
