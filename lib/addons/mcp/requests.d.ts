import type { RunBounds } from '../../core/cli/types.js';

/** The requests of the commands of this add-on. */

export interface McpRequest {
  command: 'mcp';
  /** as it was given: files are read below it */
  folder: string;
  allowed: import('../agents/types.js').Allowed;
  bounds: RunBounds;
}
