import type { RunOptions } from '../../core/contracts/run-options.js';

/** The requests of the commands of this add-on. */

export interface JobRequest {
  command: 'k8s';
  /** a file or a URL */
  flow: string;
  /** files that the flow reads, of --include */
  files: string[];
  /** one shard each */
  pods: number;
  /** name of the job */
  name?: string;
  image?: string;
  /** name of the volume for the results; false: they are printed */
  claim: string | false;
  /** print the job that merges the results */
  isMerge: boolean;
  /** name of the secret whose entries become environment variables */
  secret?: string;
  runOptions: Partial<RunOptions>;
  warnings: string[];
}
