import type { Demands } from '../../core/measure/outcome.js';
import type { OutputOptions } from '../../core/cli/types.js';

/** The requests of the commands of this add-on. */

export type MergeRequest = {
  command: 'merge';
  paths: string[];
  isPartial: boolean;
  isLog: boolean;
  thresholds: string[];
} & Demands &
  OutputOptions;
