import type { RunBounds } from '../../core/cli/types.js';

/** The requests of the commands of this add-on. */

export interface AgentRequest {
  command: 'agent';
  /** URL of Redis or Valkey */
  queue: string;
  name: string;
  pool: string;
  workers: number | 'auto';
  allowed: import('./types.js').Allowed;
  /** folder for the logs of runs, as it was given; null: runs with a log are refused */
  logFolder: string | null;
  bounds: RunBounds;
}
