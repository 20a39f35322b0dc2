import type { TransportOptions } from '../contracts/connection.js';
import type { Request } from '../contracts/request.js';
import type {
  NamedHook,
  Operation,
  Retry,
  Rules,
  CompiledScenario,
  Scope,
  Step,
  StepReader,
} from '../contracts/step.js';
import type { Phase } from '../ground/phases.js';
import type { Complain, OwnName, Problems } from '../ground/types.js';
import type { Endpoint, EndpointOf, Way } from '../http/endpoint.js';
import type { WireVersion } from '../transport/wire/index.js';
import type { Arguments, Environment } from './arguments.js';
import type { CaptureEntry } from './captures/index.js';
import type { EntryFacts, Refusal } from './checks/types.js';
import type { LiveFlow } from './live-flow.js';
import type { Meaning, Names } from './names.js';
import type { FunctionEntry } from './normalize.js';
import type { OperationCompiler } from './operation-compiler.js';
import type { NamedOrigins } from './origins.js';
import type { Located } from './request-url.js';
import type { compileRequest } from './request.js';
import type { Ignore } from './settle-operation.js';
import type { SiblingSteps } from './sibling-steps.js';
import type { TokenUse } from './tokens/types.js';
import type { Placeholder } from './placeholder.js';
import type { ValuePlace } from './written-value.js';

/** Types that files of lib/core/flow share. */

/** Where the values of `#{args.name}`, `#{env.NAME}`, `#{WORKER}` and `#{SHARD}` come from: constant in a thread. */
export interface Constants {
  args: Arguments;
  environment: Environment;
  /** number of the thread, from 0; none outside of workers */
  worker?: number;
  /** from 1; none if the run is not split */
  shard?: number;
}

/** Null if the value passes, else what was expected: `at least 5`. The value is undefined where there is none. */
export type Compare = (value: unknown, scope: Scope) => string | null;

export interface ComparisonContext {
  /** replaces tokens by marks */
  mark: (text: string, place?: import('./written-value.js').ValuePlace) => string;
  /** formats a value for a message */
  show: (value: unknown) => string;
  /** the values are texts, as those of header fields: `{ gt: 5 }` and `{ eq: 5 }` compare their numbers */
  isText?: boolean;
}

export type { ReadFlow } from './compile.js';

/** An operation of a phase. */
export interface PlacedOperation {
  operation: Operation;
  /** `flow.main[0]`, or `flow.main[0].oneOf[1]` */
  where: string;
  choice: Step['choice'];
  /** in results, if it is already known */
  name?: string;
  /** its name has the origin of its URL, because others of its `oneOf` have the same method and path */
  hasOrigin: boolean;
}

/** The options of an operation for hooks, and the compiler of their changes. */
export interface HookInput {
  compiler: OperationCompiler;
  /** as hooks get it */
  operation: Operation;
  /** of the operation, with the defaults */
  headers: Record<string, unknown>;
  request: CompiledRequest;
  /** of the operation */
  rules: Rules;
}

/**
 * JSONPath (RFC 9535). Singular queries such as `$.items[0].id` are compiled to reads of own properties; the others are
 * those of an add-on.
 */
export interface JsonPath {
  /** it finds one value at most */
  isSingular: boolean;
  /** the first value that it finds; undefined if it finds none, as JSON has no undefined */
  first: (value: unknown) => unknown;
  all: (value: unknown) => unknown[];
}

/** A value that is computed once for each request of an operation. */
export interface ValueMeaning {
  kind: 'value';
  /** what computes it, for messages: `flow.tokens.user` */
  where: string;
  /** may return a promise */
  call: (scope: Scope) => unknown;
  /** its type is checked: it is a function of the flow */
  isUsersFunction: boolean;
}

/** The meaning of a name. */
export interface NameSource {
  /** the part of the flow that defines it: `flow.tokens.user`; undefined for a built-in token */
  from?: string;
  /** it has no value in `before` and `after` */
  needsIndex?: boolean;
  /** null after a refusal; where: of the operation */
  read: (use: TokenUse, refuse: (reason: string) => void, where: string) => Meaning | null;
}

/** All shortcuts resolved. */
export interface RawFlow {
  phases: Record<Phase, Operation[]>;
  /** defaults for every operation */
  headers: Record<string, unknown>;
  /** those of them that functions return */
  computedHeaders: Record<string, (scope: Scope) => unknown>;
  baseUrl?: string;
  /** of a unix socket, for every operation */
  socketPath?: string;
  /** none: every iteration runs the same operations */
  scenarios: RawScenario[];
  /** hooks around every operation */
  beforeHooks: unknown[];
  afterHooks: unknown[];
  tokens: Record<string, (scope: Scope) => unknown>;
  /** the variables of the run at its start */
  vars: Record<string, unknown>;
  /** feeders */
  data: Record<string, unknown>;
  iterCtx: Record<string, any>;
  runOptions: Record<string, unknown>;
  /** adds a section to the result */
  section: ((result: any) => unknown) | null;
  /** functions that begin and end each virtual user */
  user: { begin: FunctionEntry | null; end: FunctionEntry | null };
}

/** The properties that all operations of a flow have in common. */
export interface CompilerContext {
  flow: RawFlow;
  run: RunDefaults;
  /** hooks around every operation */
  around: { beforeHooks: NamedHook[]; afterHooks: NamedHook[] };
  constants: Constants;
  problems: Problems;
  /** undefined: the operation is requested by a function */
  siblings?: SiblingSteps;
  /** the flow as code can change it; null or undefined: none can */
  live?: LiveFlow | null;
}

/** The properties that operations of a phase, or of a scenario in it, have in common. */
export interface Sequence {
  phase: Phase;
  scenario: CompiledScenario | null;
  /** of the tokens that they can have */
  names: Names;
  /** the place of the operation that opens each connection that operations share, by the key of the connection */
  opened: Map<string, string>;
}

/**
 * The source of a value in a URL, which decides on the credentials of the run: `text` of the flow with built-in tokens
 * and rows of feeders; `variable`, which a response may have set; `code` of the user.
 */
export type ValueSource = 'text' | 'variable' | 'code';

export interface Property {
  /** in TypeScript, of `lib/core/contracts/flows.d.ts` */
  type: string;
  /** a phrase for the schema and documents */
  about: string;
  check: (value: any) => boolean;
  /** completes "expected …, got …" */
  expected: string;
  /** say more than `expected` */
  refuse?: (value: any) => Refusal[];
  /** the value belongs to the user, in this operation: it is kept for hooks, with a notice */
  isOwn?: (value: any, operation: Operation) => boolean;
  /** why it is the user's; default: what was expected */
  remark?: string;
  /** JSON Schema of what a JSON or YAML flow can hold; null if that is nothing */
  schema: Record<string, unknown> | null;
  default?: unknown;
  /** the operations of its protocol must have it */
  isRequired?: true;
}

export interface CompiledUrl {
  /** undefined if a token is in the host, or the URL is invalid */
  endpoint: Endpoint | undefined;
  /** path and query */
  path: Template;
  /** path and query as the flow has them, with `#{…}`; undefined: they are computed */
  route?: string;
  /** what hooks see as `uri`: without the query of `qs`, which they see as well */
  uri: Template;
  /** decoded `user:password` of the URL */
  userinfo: string | null;
  /** finds both during the run: a token is in the host, or the URL is computed */
  locate: ((scope: Scope) => Located) | null;
}

/** The context in which the URL of an operation is compiled. */
export interface UrlContext {
  /** the property of the operation that has the URL */
  key: string;
  operation: Operation;
  tls: Record<string, unknown>;
  input: RequestInput;
}

/** The definitions of the run and the flow for all operations. */
export interface RunDefaults {
  baseUrl: string | undefined;
  headers: Record<string, unknown>;
  /** bytes: no file of a body is larger */
  maxBodyMemory?: number;
  /** of relative paths of files; default: the working directory */
  folder?: string;
  user?: string;
  password?: string;
  cookies?: Record<string, string>;
  socketPath?: string;
  keepAlive?: boolean;
  version?: Way['version'];
  /** what sends requests again, by the name of its option */
  retries: Record<string, unknown>;
  /** merges TLS options with those of the run */
  tlsOf: ReturnType<typeof import('./tls.js').createTlsReader>;
  endpointOf: EndpointOf;
  /** the server is not ready: what would ask it calls this, and the flow is compiled again when it is */
  askLater?: () => void;
  /** where names lead, for what connects before the run */
  addresses: Pick<TransportOptions, 'family' | 'connectTo' | 'resolver'>;
  /** those that the flow and the run name */
  origins: NamedOrigins;
  /** hooks cannot set properties of their own */
  isStrict: boolean;
  /** reports what is valid and unlikely to be meant */
  notice: (text: string, kind?: string) => void;
}

/** Reads the bodies of responses as they arrive, in place of keeping them. */
export interface ReaderEntry {
  /** of the property of operations that chooses it */
  name: string;
  property: Property;
  captures: ReaderCaptures;
  /** the media type that requests of an operation ask for; undefined: as without it */
  accept: (operation: Operation) => string | undefined;
  /** null: the responses to the operation are not read by it */
  compile: (operation: Operation, context: { complain: Complain }) => StepReader | null;
  /** what a text that is no JSON is, if it is of its kind, and what to do: completes "'data: 1', which" */
  recognize?: (text: string) => string | undefined;
}

/** A version of HTTP, with the property of operations that chooses it. */
export interface HttpVersionEntry extends WireVersion {
  property: Property;
}

/** Sends requests again, after a wait, whose responses ask for that. */
export interface RetryEntry {
  /** of the property of operations that chooses it, and of the run option that is its default */
  name: string;
  property: Property;
  /** null: this value sends none again */
  compile: (given: unknown) => Retry | null;
}

/** Signs requests, as their last change. */
export interface SignatureEntry {
  /** of the property of operations that chooses it */
  name: string;
  property: Property;
  /** sets the field Authorization, so that a request has no other credentials */
  compile: (value: any, place: Place) => (request: Request, scope: Scope) => Request;
}

/** Options of another tool that operations may have in place of ours. */
export interface OldOptions {
  /** those without a row in PROPERTIES, for the type of operations */
  properties: Record<string, { type: string; about: string }>;
  /** explains why an option is refused */
  refuse: (name: string) => string | undefined;
  isIgnored: (name: string) => boolean;
  /**
   * replaces them by ours, and removes those without effect, unless hooks may read them (`keepsIgnored`); an operation
   * without any is returned itself
   */
  replace: (operation: Operation, ignore: Ignore, options?: { keepsIgnored?: boolean }) => Operation;
}

/** The values that a reader captures. */
export interface ReaderCaptures {
  /** what can be beside the place of such a value */
  modifiers: Pick<EntryFacts, 'name' | 'type' | 'schema' | 'about'>[];
  /** refuses modifiers of a capture */
  refuse: (capture: Record<string, any>, place: CaptureEntry) => Refusal[];
  /** null: the value is in the response. `place`: where in what the reader reads; read: for `reader` of Capture */
  compile: (
    capture: Record<string, any>,
    place: string,
    operation: Operation,
    complain: Complain,
  ) => { read: unknown; explain: () => string } | null;
}

/**
 * Finds what makes the responses to an operation errors though their status is none, and `expect` does not refuse them.
 * constant: the request, if all are the same
 */
export type FaultsOf = (parts: OperationParts, constant: Request | null) => Pick<Step, 'fault' | 'faultOfSent'>;

export type OperationParts = Pick<OperationCompiler, 'valid' | 'place' | 'values' | 'beforeHooks'>;

/** Where an operation is, and who learns of its problems. */
export interface Place {
  /** path of the operation: `flow.main[0]` */
  where: string;
  /** replaces tokens by marks */
  mark: (text: string, key: string, place?: ValuePlace) => string;
  /** reports a problem; during the run it is thrown, as by `refuse` */
  complain: Complain;
  /** throws a problem of one request, during the run */
  refuse: (key: string, reason: string) => never;
  /** reports what is unlikely to be meant; during the run it is not reported */
  notice?: (text: string) => void;
  /** what the tokens of a marked text read */
  sourceOf: (marked: string) => ValueSource;
  /** of a URL that is a value of the run: see {@link NamedOrigins.isForeign} */
  isForeign?: (endpoint: Endpoint) => boolean;
  /** the URL is compiled during the run: what is refused is thrown */
  isComputed?: boolean;
  /** a URL that is missing or invalid is an error only if no before-hook sets another one */
  hooksMaySetUrl?: boolean;
}

/** The input of a request, beside its operation. */
export interface RequestInput {
  run: RunDefaults;
  place: Place;
  /** those of the operation among the defaults */
  headers: Record<string, unknown>;
  /** those that a function returns for each request */
  moreHeaders?: Placeholder | null;
  /** of the run, if this request may have it */
  user?: string;
  password?: string;
  /** of the run */
  cookies?: Record<string, string>;
  /** names of headers that hold credentials of the run */
  runFields: string[];
}

export type CompiledRequest = ReturnType<typeof compileRequest>;

/** All shortcuts resolved. */
export interface RawScenario {
  name: string;
  /** `flow.scenarios.buy` */
  where: string;
  weight?: number;
  /** a load of its own, as given; checked with the run options */
  load?: unknown;
  /** when that begins, as given: a time, or the name of another scenario */
  startAfter?: unknown;
  phases: Partial<Record<Phase, Operation[]>>;
}

/**
 * A compiled text: constant, or a function that renders it for an iteration. `template.js` replaces the tokens of a
 * text by marks, the marked text is parsed and encoded as a whole, and becomes a template.
 */
export type Template = string | ((scope: Scope) => string);

/** The values that a function may return. */
export interface Returned {
  check: (value: any) => boolean;
  /** completes "return …" */
  expected: string;
}
