import type { Operation, Resend, Scope } from '../../contracts/step.js';
import type { Complain } from '../../ground/types.js';
import type { Property } from '../types.js';
import type { ValuePlace } from '../written-value.js';

/** Types that files of lib/core/flow/bodies share. */

export interface BodyTemplate {
  contentType: string | null;
  /** encoded once if no iteration changes it */
  content: Buffer | null | ((scope: Scope) => string | Buffer | null);
  /** of a body that a function returns: false for a request without it, as the function has returned nothing */
  isGiven?: (scope: Scope) => boolean;
  /** of a body that a function returns: the content type of one request, in place of `contentType` */
  typeOf?: (scope: Scope) => string | null;
  /** `contentType` is sent even if the operation's headers have another one */
  overridesHeaders?: boolean;
  /** bytes of files and Buffers that every rendered body copies */
  copied?: number;
  /** the name of its operation in results; null: it has none */
  name?: string | null;
  resend?: Resend;
}

export interface BodyContext {
  /** replaces tokens by marks */
  mark: (text: string, key: string, place?: ValuePlace) => string;
  complain: Complain;
  /** the same for one request, during the run */
  refuse: (key: string, reason: string) => never;
  /** of all bodies of the operation; default: a new one */
  boundary?: string;
  /** of a file */
  maxBytes?: number;
  /** of relative paths of files; default: the working directory */
  folder?: string;
  /** the operation has `json: true` */
  isJson?: boolean;
  /** Content-Type among the operation's headers */
  givenType?: string;
  /** of which the body is a part */
  operation?: Operation;
}

/** A property of an operation that holds a request body. */
export interface BodyEntry {
  /** of the property */
  name: string;
  /** a phrase for the schema and documents */
  about: string;
  /** in TypeScript, of `lib/core/contracts/flows.d.ts` */
  type: string;
  check: (value: any) => boolean;
  /** completes "expected …, got …" */
  expected: string;
  /** a value that is compiled before the run in place of those that a function will return */
  blank: unknown;
  /** the content type of a value if it is not that of `blank`, else null */
  typeOf?: (value: any, context: BodyContext) => string | null;
  /** JSON Schema of the values in JSON and YAML */
  schema: Record<string, unknown>;
  /** no function can return it */
  isFixed?: boolean;
  /** its response is parsed as JSON */
  isJson?: boolean;
  /** the operation may have its name from it: see `name` of BodyTemplate */
  hasName?: boolean;
  /** null, false and the like are mistakes, not the absence of the body */
  keepsEmpty?: boolean;
  /** what readers of response bodies have to know about its responses, by their property */
  readers?: Record<string, unknown>;
  /** properties of its operations alone, which hold a part of it that is JSON */
  parts?: Record<string, Property>;
  /** false for a value that sends no body; default: all but undefined send one */
  sends?: (value: any) => boolean;
  compile: (value: any, context: BodyContext) => BodyTemplate;
}
