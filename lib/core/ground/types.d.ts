/** Types that files of lib/core/ground share. */

/** A row of an add-on whose facts are loaded with the table that has them. */
export interface Offered<Row> {
  /** its place among the rows of other add-ons: lower ones come first; default: 0 */
  rank?: number;
  load: () => Row;
}

export interface Problem {
  /** where: `flow.main[0].haeders` */
  path: string;
  /** what is wrong and what to do */
  reason: string;
  /** options that the reason names */
  names?: string[];
}

/** A property that is ignored, or a token that is text; the run option `strict` refuses it. */
export interface OwnName {
  path: string;
  /** of the refusal */
  reason: string;
  /** why it has no effect */
  about?: string;
}

/** Reports an invalid property. */
export type Complain = (key: string, reason: string) => void;

export interface Problems {
  list: Problem[];
  /** names: options that the reason names */
  add: (path: string, reason: string, names?: string[]) => void;
  /** refuses an unknown name, and suggests the nearest allowed one */
  unknown: (path: string, what: string, name: string, allowed: Iterable<string>) => void;
  /** names that are unknown, and that the user has probably added on purpose */
  own: OwnName[];
  /**
   * refuses an unknown name if it probably misspells an allowed one; otherwise keeps it in `own`, unless it is marked
   * as the user's (`x-`, `_`)
   */
  refuseUnlessOwn: (path: string, what: string, name: string, allowed: readonly string[]) => void;
  /** keeps a name in `own` */
  ignore: (path: string, reason: string, about?: string) => void;
  /**
   * one error that names the problems, and has them as data, `problems`; others: of another input, which follow below a
   * title; null: there are none
   */
  error: (others?: { title: string; list: Problem[] }) => (Error & { problems: Problem[] }) | null;
  /** throws that error */
  throwIfAny: (others?: { title: string; list: Problem[] }) => void;
}
