import type { MethodAndUrl, OperationCommon, PhasesFlow, Scenario } from './flow-properties.js';
import type { HookEnv } from './hooks.js';

/** Published types of flows, beside those that tables generate in flow-properties.d.ts. */

/** The argument of functions in the place of values, and of those of tokens: the state of the iteration. */
export interface Scope {
  /** The number of the iteration from 0; undefined in before and after. */
  index: number | undefined;
  /** The state of the iteration, as hooks get it. */
  env: HookEnv;
  /** Data of the iteration, shared with its hooks. */
  iterCtx: Record<string, any>;
  /** Data of the run, shared by all iterations of a thread. */
  runCtx: Record<string, any>;
  /** The name of the scenario that the iteration runs; undefined without scenarios, in before and in after. */
  scenario: string | undefined;
  /** User name for basic authentication. */
  user?: string;
  /** Password for basic authentication. */
  password?: string;
  /** The number of the virtual user from 0, different in all workers; undefined in before and after. */
  vu: number | undefined;
  /** Data of the virtual user, kept for the whole run. */
  vuCtx: Record<string, any>;
  /** The variables of the iteration; in before and after, those of the run. */
  vars: Record<string, any>;
  /** The row that the iteration has of each feeder; throws in before and after. */
  data: Record<string, any>;
}

/** A value, or a function that returns it for each request. The function may be async. */
export type Computed<T> = T | ((scope: Scope) => T | Promise<T>);

/** The value of a token. */
export type TokenValue = string | number | boolean | bigint;

/** The value of a header field. null and undefined remove the field. */
export type FieldValue = string | number | boolean | null | undefined | (string | number)[];

/** Think time: milliseconds, `'2s'`, a range, or a normal distribution with its mean and its standard deviation. */
export type ThinkTime =
  | number
  | string
  | [from: number | string, to: number | string]
  | {
      mean: number | string;
      dev: number | string;
    };

/** A certificate or a key: PEM text, bytes, or a file: its path, or `{ file: path }`. */
export type TlsMaterial =
  | string
  | Uint8Array
  | {
      file: string;
    };

declare global {
  /** What add-ons of other packages add to the types of flows, by declaration merging. @experimental */
  namespace BenchRest {
    /** Operations by their protocol: `interface Operations { line: { line: string; say: string } }`. */
    interface Operations {}
    /** Properties of `expect`: `interface Checks { reply?: string }`. */
    interface Checks {}
  }
}

/** The operations of add-ons: each has properties of its own, and those that all protocols share. @experimental */
type AddonOperation = {
  [P in keyof BenchRest.Operations]: BenchRest.Operations[P] & Omit<OperationCommon, keyof BenchRest.Operations[P]>;
}[keyof BenchRest.Operations];

/** One request of a flow, with its hooks. */
export type Operation = (OperationCommon & MethodAndUrl) | AddonOperation;

/** Several operations, of which each iteration performs one. */
export interface OneOf {
  /** Each iteration performs one of these operations: in turn, or by their weight. */
  oneOf: (string | UrlObject | Operation)[];
}

/** The response of an operation that a function requested. */
export interface RequestedResponse {
  /** The status; a hook of the operation may have changed it. */
  status: number;
  /** The same. */
  statusCode: number;
  /** The header fields, with names in lower case. */
  headers: Record<string, any>;
  /** The body: text, a Buffer for `encoding: null`, or a value if the operation has `json` and it is JSON. */
  body: any;
  /** The body as JSON; throws if it is not JSON. */
  json: any;
}

/** The argument of a measured function: the state of the iteration, and a signal. @experimental */
export interface CallScope extends Scope {
  /** Aborted when the time of the call is over, or the run: clients that get it end the call. */
  signal: AbortSignal;
}

/** The properties of a measured call beside its name. @experimental */
export type CallOptions = Pick<OperationCommon, 'timeout' | 'tags' | 'expect' | 'capture'>;

/** The argument of a function in a phase: the state of the iteration, and what it can do. */
export type FunctionScope = Omit<Scope, 'env'> & {
  env: HookEnv;
  request: (operation: string | UrlObject | Operation) => Promise<RequestedResponse>;
  /** Calls a function, measured under a name, and returns what it returns. */
  measure: <T>(name: string, call: (scope: CallScope) => T, options?: CallOptions) => Promise<Awaited<T>>;
  pause: (time: ThinkTime) => Promise<void>;
};

/** A function in a phase: it makes its requests itself, one after the other. */
export type FunctionStep = (scope: FunctionScope) => unknown;

/**
 * A URL as text. Beside `string`, the function `repeat` of an operation would have two types, its own and that of
 * `String.prototype.repeat`, and its parameters none.
 * @experimental
 */
export interface UrlText {
  valueOf: () => string;
}

/**
 * A `URL`. Editors would offer the members of that class, such as `hash`, among the properties of an operation.
 * @experimental
 */
export interface UrlObject {
  toJSON: () => string;
}

/** The operations of a phase. A URL is a GET request, a function makes its requests itself. */
export type Operations = (UrlText | UrlObject | Operation | OneOf | FunctionStep)[];

/** A flow with scenarios in place of main. */
export type ScenariosFlow = Omit<PhasesFlow, 'main'> & {
  scenarios: Record<string, Scenario>;
};

// Compilers place an error in a flow by the first member that is an object: the phases come first.
/** A flow: a URL, an operation, an array of operations, an object of phases, or the path of a flow file. */
export type Flow = PhasesFlow | ScenariosFlow | Operation | OneOf | Operations | UrlText | UrlObject;

/** A function that a flow file exports: it returns the flow, once for each thread. */
export type FlowFunction = (context: FlowContext) => Flow | Promise<Flow>;

/** The argument of a flow that is a function. */
export interface FlowContext {
  /** The values of `--arg name=value`, which are texts, and of the run option `args`. */
  args: Record<string, string | number | boolean>;
}
