import type { Exchange } from '../exchange.js';
import type { Leaf } from './leaf.js';

/** Types that files of lib/addons/import/correlation share. */

/** A part of a request: its values, and how it is written once tokens have replaced some of them. */
export interface RequestPart<T> {
  leaves: Leaf[];
  written: () => T;
}

/** A request that becomes an operation, with the redirects that its client followed. */
export interface Step {
  /** the request that was sent first */
  exchange: Exchange;
  /** that of its URL, encoded */
  path: string;
  /** the exchanges whose responses were redirects, then the last one */
  hops: Exchange[];
  /** the values of its request */
  leaves: Leaf[];
  /** its operation, once tokens have replaced values */
  operation: () => Record<string, any>;
  comments: string[];
  /** properties that the whole recording decides: hooks, expected status, pause */
  added: Record<string, any>;
  captures: Variable[];
  /** why it cannot be sent as it was */
  disabled?: string;
  /** `GET /items`, for comments */
  label: string;
}

/** A place of a response with a value that a later request has. */
export interface Source {
  step: Step;
  value: string;
  /** what a token has: that of JSON, or text */
  type: 'string' | 'number';
  /** as in an operation: a JSONPath, { header }, { cookie }, { text } */
  capture: string | Record<string, string>;
  /** name of the member, field, cookie or parameter */
  key: string;
  /** what the member belongs to: `item` of `POST /items` */
  entity: string;
  /** a segment of a path, whose key is the segment before it */
  isPathPart?: boolean;
  /** the redirect that has it, if its client followed it */
  hop?: Exchange;
  /**
   * the less, the clearer: 0 a member or a field, 0.5 a cookie, 1 in a list or a part of a URL, 2 a link, 3 text; more
   * below a member whose name is an id, and most in a redirect that the client followed
   */
  rank: number;
  /** for comments: `$.id`, `the field Location` */
  label: string;
}

/** A captured value. */
export interface Variable {
  /** of the token; given when all captures are known */
  name: string;
  type: 'string' | 'number';
  source: Source;
  /** equal by value alone; false: the names had to agree, too */
  isCertain: boolean;
  uses: { step: Step; leaf: Leaf }[];
}
