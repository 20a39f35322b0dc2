import type { Needs } from '../../contracts/response.js';
import type { Compare, ComparisonContext } from '../types.js';
import type { CheckPart, MarkPart } from './index.js';

/** Types that files of lib/core/flow/checks share. */

/** The meaning of an expected value that is neither an object of comparisons nor a regular expression. */
export interface Literal {
  check: (value: any) => boolean;
  /** completes "expected …, got …" */
  expected: string;
  compile: (value: any, context: ComparisonContext) => Compare;
}

/** The context in which the argument of an entry is compiled. */
export interface CheckContext {
  /** replaces tokens by marks */
  mark: MarkPart;
  /** reports an invalid argument */
  complain: (reason: string, at?: string) => void;
  /** of relative paths of files; default: the working directory */
  folder?: string;
}

/** A property of `expect` */
export interface CheckEntry {
  /** of the property */
  name: string;
  /** a phrase for the schema and documents */
  about: string;
  /** the parts of the response that it reads */
  reads: Needs;
  /** only operations with this property have it; reason: why another one is refused */
  needs?: { property: string; reason: string };
  /** it is no check: it allows what would be an error */
  allows?: boolean;
  /** in TypeScript, of `lib/core/contracts/flows.d.ts` */
  type: string;
  /** JSON Schema */
  schema: Record<string, unknown>;
  /** of its argument */
  check: (value: any) => boolean;
  /** completes "expected …, got …" */
  expected: string;
  /** says more than `expected` about a value that passes `check` */
  refuse?: (value: any) => Refusal[];
  compile: (argument: any, context: CheckContext) => CheckPart[];
}

/** The facts that the rows of checks, captures and comparisons have in common. */
export type EntryFacts = Pick<CheckEntry, 'name' | 'about' | 'type' | 'schema' | 'check' | 'expected'>;

/** at: the part of the argument that is refused, as in {@link CheckPart}. */
export type Refusal = { at?: string; reason: string };
