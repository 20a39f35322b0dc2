import { resolve } from 'node:path';

import { ProfileRecording } from './recording.js';
import { routesOf } from './routes.js';

/** @import { RunOptions } from '../../../contracts/run-options.js' */
/** @import { CompiledFlow } from '../../../contracts/step.js' */
/** @import { ServerLink } from '../server-link.js' */

/**
 * @typedef {object} RecordedService
 * @property {ServerLink | null} [link] to its processes of Node
 * @property {number} [pid]
 * @property {string[]} [saveProfileTo] absolute paths of files for the raw profiles of V8
 */

/**
 * Opens the recording of a service, with a recorder for each option of the run.
 * @type {(options: Pick<RunOptions, 'profile' | 'profileCommand' | 'profileUrl' | 'start'>, flow: CompiledFlow,
 *   service: RecordedService) => Promise<ProfileRecording>}
 */
export async function openRecording(
  { profile, profileCommand, profileUrl, start },
  flow,
  { link, pid, saveProfileTo: saveTo },
) {
  const recorders = [];
  let operations;
  if (profile && profile.kinds.length > 0) {
    const { NodeRecorder } = await import('./node-recorder.js');
    const routes = routesOf(flow);
    operations = routes.names;
    recorders.push(new NodeRecorder(link ?? null, { kinds: profile.kinds, saveTo, routes }));
  }
  if (profileCommand !== undefined) {
    const { CommandRecorder } = await import('./command-recorder.js');
    recorders.push(new CommandRecorder(profileCommand, { pid }));
  }
  if (profileUrl !== undefined) {
    const { UrlRecorder } = await import('./url-recorder.js');
    recorders.push(new UrlRecorder(profileUrl));
  }
  return new ProfileRecording({ recorders, folder: resolve(start?.cwd ?? '.'), lastMs: profile?.lastMs, operations });
}
