import { WITHOUT_REFUSED } from '../agents/pack-options.js';

/** @import { Layer } from '../../core/run/options/types.js' */

/**
 * Options that a run of an assistant cannot have: those that reach beyond the flow, which flows from a queue do not
 * have either, and those that take more of this machine.
 */
export const REFUSED_OPTIONS = [...Object.keys(WITHOUT_REFUSED), 'log', 'workers', 'prealloc', 'maxBodyMemory'];

/** Why each of them is refused. */
export const REFUSALS = Object.fromEntries(
  REFUSED_OPTIONS.map((name) => [
    name,
    'is not for runs of an assistant: remove it, or run the flow on the command line',
  ]),
);

/** The options of the server, which no call and no flow changes. @type {Layer} */
export const OWN_OPTIONS = { name: 'bench-rest mcp', options: { progress: 0, maxBodyMemory: 128 * 1024 * 1024 } };
