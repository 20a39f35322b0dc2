/** Types that files of lib/core/text share. */

/** The first error in a text. */
export interface Fault {
  /** in UTF-16 units */
  offset: number;
  reason: string;
}

/** A number of a text that has other digits as a number of JavaScript. */
export interface LostDigits {
  /** in UTF-16 units */
  offset: number;
  written: string;
  /** how many follow it */
  more: number;
}

/** The position of a character in a text. */
export interface TextPosition {
  /** from 1 */
  line: number;
  /** from 1 */
  column: number;
  /** the line */
  code: string;
}

/** Finds values by keys and indexes from the root of a document; instead of a missing one, the nearest part. */
export type FindPositions = (paths: (string | number)[][]) => Pick<TextPosition, 'line' | 'column'>[];

export type StackPlace = { file: string; line: number; column: number };

/** The beginning of a body. */
export interface Beginning {
  /** at most {@link KEPT_BYTES} */
  bytes: Uint8Array;
  /** bytes of the whole body, as it was sent */
  size: number;
  /** more bytes follow */
  isCut: boolean;
}

/** One request and its response. */
export interface TracedExchange {
  where: string;
  request: { method: string; url: string; headers: string[][]; body: Beginning | null };
  response?: { statusCode: number; headers: Record<string, string | string[]>; body: Beginning | null };
  /** message */
  error?: string;
  ms: number;
  /** how long it has waited before it was sent again, as a response asked */
  waitedMs?: number;
  /** what its text hides, beside what looks like a secret */
  secrets: string[];
}
