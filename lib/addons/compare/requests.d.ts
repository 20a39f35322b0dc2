import type { NoiseOptions } from '../../core/cli/types.js';
import type { AbSides } from './commands/ab.js';
import type { CompareSides, FormatOptions } from './commands/compare.js';

/** The requests of the commands of this add-on. */

export type AbRequest = AbSides & ComparisonOptions;

export type CompareRequest = CompareSides & ComparisonOptions;

export type ComparisonOptions = NoiseOptions & FormatOptions;
