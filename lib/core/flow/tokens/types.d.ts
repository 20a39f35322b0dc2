import { Scope } from '../../contracts/step.js';
import { CONVERSIONS } from './index.js';

/** Types that files of lib/core/flow/tokens share. */

/** A built-in token. It has either `compile` or `value`. */
export interface TokenEntry {
  /** the first word of `#{name}` */
  name: string;
  /** one sentence for help and documents */
  about: string;
  /** how to write it, if that is more than its name: `randomInt(from,to)` */
  usage?: string;
  /** only iterations have it, not `before` and `after` */
  needsIndex?: boolean;
  /**
   * called for each place that uses the token, returns constant text or a function that renders that of an iteration;
   * calls refuse for a malformed use. The text is written into every place as it is, without encoding
   */
  compile?: (use: TokenUse, refuse: (reason: string) => void) => string | ((scope: Scope) => string);
  /**
   * called for each place that uses the token, returns a function that is called once for each request of an
   * operation; its value has a type, and is encoded for its place
   */
  value?: (use: TokenUse, context: ValueContext) => (scope: Scope) => unknown;
}

export interface ValueContext {
  /** for a malformed use */
  refuse: (reason: string) => void;
  /** of the operation: `flow.main[0]` */
  where: string;
  /** of the run */
  seed: number;
}

/** A token as the user wrote it: `#{name.member(argument):conversion}` */
export interface TokenUse {
  name: string;
  /** after the first dot */
  member?: string;
  /** between the parentheses */
  argument?: string;
  /** after the colon */
  conversion?: (typeof CONVERSIONS)[number];
}
