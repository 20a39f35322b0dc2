import type { AbSides } from './commands/ab.js';
import type { CompareSides, FormatOptions } from './commands/compare.js';

/** The requests of the commands of this add-on. */

export type AbRequest = AbSides & ComparisonOptions;

export type CompareRequest = CompareSides & ComparisonOptions;

export interface NoiseOptions {
  /** how much runs differ by chance: `p95=4%`, or `4%` */
  noise: string[];
  /** folder of earlier results that show it */
  history?: string;
}

export type ComparisonOptions = NoiseOptions & FormatOptions;
