import type { RunBounds } from '../../core/cli/types.js';

/** What the commands of this add-on are asked to do. */

export interface McpRequest {
  command: 'mcp';
  /** as it was given: files are read below it */
  folder: string;
  allowed: import('../agents/types.js').Allowed;
  bounds: RunBounds;
}
