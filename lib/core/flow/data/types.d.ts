import type { Row } from '../../contracts/step.js';
import type { LostDigits } from '../../text/types.js';

/** Types that files of lib/core/flow/data share. */

/** The rows of a feeder: plain data, which threads share. */
export interface Table {
  /** the name of its format, a row of FEEDERS */
  format: string;
  /** what messages call it: `users.csv` */
  from: string;
  /** those that every row has */
  columns: string[];
  /** columns that only some rows have, with the offset of the first row without it */
  lacking: Record<string, number>;
  /** between the values of a row, of CSV */
  delimiter: string;
  /** UTF-8 */
  bytes: Uint8Array;
  /** where each row begins and ends in them */
  bounds: Uint32Array;
  /** numbers that have other digits in their row */
  lost?: LostDigits;
}

export interface FeederFormat {
  name: string;
  about: string;
  /** of files; none: rows in the flow */
  extensions: string[];
  /** properties of a definition that only this format has */
  options: string[];
  /** finds the rows without keeping them */
  index: (
    bytes: Buffer,
    definition: Definition,
  ) => Pick<Table, 'columns' | 'bounds' | 'delimiter' | 'lacking' | 'lost'>;
  /** creates a function that reads the row at a position, a new object */
  reader: (table: Table) => (at: number) => Row;
}

/** The definition of a feeder: a property of `data`. */
export interface Definition {
  file?: string;
  rows?: unknown[];
  order: string;
  whenEmpty: string;
  delimiter?: string;
  columns?: string[];
}
