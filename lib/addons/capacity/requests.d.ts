import type { OutputOptions } from '../../core/cli/types.js';
import type { CapacitySettings } from './command.js';

/** What the commands of this add-on are asked to do. */

export type CapacityOutput = Pick<OutputOptions, 'outputs' | 'quiet' | 'color'> & { format: string };

export type CapacityRequest = CapacitySettings & CapacityOutput;
