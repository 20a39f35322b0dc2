import type { OutputOptions } from '../../core/cli/types.js';
import type { CapacitySettings } from './command.js';

/** The requests of the commands of this add-on. */

export type CapacityOutput = Pick<OutputOptions, 'outputs' | 'quiet' | 'color'> & { format: string };

export type CapacityRequest = CapacitySettings & CapacityOutput;
