import type { Demands } from '../../core/measure/outcome.js';
import type { OutputOptions } from '../../core/cli/types.js';

/** What the commands of this add-on are asked to do. */

export type MergeRequest = {
  command: 'merge';
  paths: string[];
  isPartial: boolean;
  isLog: boolean;
  thresholds: string[];
} & Demands &
  OutputOptions;
