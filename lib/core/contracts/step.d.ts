import type { Capture, NamedCheck, Received } from './expectation.js';
import type { Hook, HookEntry } from './hooks.js';
import type { OperationRecorder } from './recorders.js';
import type { BodyCost, Request } from './request.js';
import type { Needs, Response } from './response.js';
import type { TransportClient } from './connection.js';
import type { Phase } from '../ground/phases.js';
import type { ThinkTimeMs } from '../ground/units.js';
import type { Endpoint, ProxyLeg } from '../http/endpoint.js';
import type { ProxySettings } from '../http/proxy.js';
import type { ChosenVersion } from '../http/versions.js';

/** Operations, compiled: what iterations perform. */

/** one entry of a phase, as the user wrote it */
export type Operation = Record<string, any>;

/**
 * the values that tokens and functions of the flow read: the Env of the iteration. `values`: what the functions of the
 * current operation have returned; `vars`: the variables of the iteration
 */
export interface Scope {
  index?: number;
  vu?: number;
  /** how often the operation was performed before */
  round?: number;
  user?: string;
  password?: string;
  values?: unknown[];
  vars?: Record<string, unknown>;
}

export interface Credentials {
  user?: string;
  password?: string;
  bearer?: string;
  isRunDefault?: boolean;
}

export interface NamedHook {
  /** `flow.main[0].afterHooks[1]` */
  where: string;
  hook: Hook;
  /** of a built-in one */
  entry?: HookEntry;
  /** the parts of the response that the hook reads */
  reads: Needs;
}

/** a function of the flow that returns a value for each request */
export interface NamedValue {
  /** `flow.main[0].json` */
  where: string;
  /** may return a promise */
  call: (scope: Scope) => unknown;
  /** a function of the flow, not a built-in token or a row */
  isFromCode: boolean;
  /** returns the value, or throws E_REQUEST_FIELD if it has the wrong type */
  take: (value: unknown) => unknown;
}

/** the credentials of the run in a request */
export interface RunSecrets {
  /** their names in lower case */
  fields: ReadonlySet<string>;
  /** that get them */
  origins: {
    has(destination: Pick<Endpoint, 'origin' | 'socketPath'>): boolean;
    /** it is named with its scheme */
    hasScheme(destination: Pick<Endpoint, 'origin'>): boolean;
  };
}

/** another body, which a request gets if its response asks for that: a server may not know what the first one names */
export interface Resend {
  isAsked: (response: Response) => boolean;
  body: (scope: Scope) => string | Buffer;
}

/** sends a request again, after a wait, if its response asks for that */
export interface Retry {
  isAsked: (response: Response) => boolean;
  /** until then, ms; Infinity: it is not sent again. sent: how often it was so far; random: 0 to 1 */
  waitMs: (response: Response, sent: number, random: () => number) => number;
  /** what would have it sent again, where `waitMs` is Infinity */
  remedy: (sent: number) => string;
}

/** everything about an operation except its request */
export interface Rules {
  /** a function decides it for each request if one returns `json` */
  parsesJson: boolean | ((scope: Scope) => boolean);
  /** false for `jar: false` */
  hasCookies: boolean;
  /** `encoding: null` */
  asBuffer: boolean;
  encoding: BufferEncoding;
  /** hooks get the text without a byte order mark */
  dropsMark: boolean;
  /** content codings are decoded */
  decodes: boolean;
  /** 0: none is followed */
  maxRedirects: number;
  /** decides about each redirect */
  mayFollow: ((response: Response) => unknown) | null;
  /** to the target of a redirect */
  sendsReferer: boolean;
  /** after-hooks can read the request as it was sent */
  keepsRequest: boolean;
  /** null: that of the run */
  timeoutMs: number | null;
  /** think time after the operation */
  pauseMs: ThinkTimeMs | ((scope: Scope) => unknown) | null;
  /** sent when the server asks for them */
  credentials: ((scope: Scope) => Credentials) | null;
  /** null: nothing of the run follows a redirect to another origin */
  runSecrets: RunSecrets | null;
  /** null: no response asks for another body */
  resend: Resend | null;
  /** null: no response is waited for */
  retry: Retry | null;
  /** the operation or a hook decides the Authorization field, not `env.user` */
  hasCredentials: boolean;
}

export interface CompiledScenario {
  name: string;
  /** `flow.scenarios.buy` */
  where: string;
  /** the position of the load that runs it */
  load: number;
  /** its position among those of its load */
  at: number;
  /** of all scenarios of its load */
  names: string[];
  /** the position of the scenario that an iteration runs */
  choose: (index: number) => number;
}

/** whether and how often an iteration performs an operation */
export interface Control {
  /** asked before each time */
  when: ((scope: Scope) => unknown) | null;
  /** asked once */
  repeat: number | ((scope: Scope) => unknown);
  /** from the start of one time to that of the next, ms; 0: at once */
  everyMs: number;
}

export interface FunctionCall {
  fn: (scope: any) => unknown;
  /** checks an operation that the function requests; throws E_REQUEST_FIELD */
  read: (given: unknown) => RequestedOperation;
  /** whether a value that it returned is an operation */
  isOperation: (value: unknown) => boolean;
  /** of the operations that it can request, beside HTTP */
  protocols: StepProtocol[];
}

export interface RequestedOperation {
  operation: Operation;
  /** the same for operations that differ in the values of their requests alone */
  key: string;
  /**
   * compiles it for all operations with this key. `valueOf` returns the values of a request, `keep` gets its response;
   * throws E_REQUEST_FIELD
   */
  compile: (valueOf: (scope: any, key: string) => unknown, keep: (all: any) => void) => Step;
}

/** a connection that several operations of an iteration use */
export interface HeldConnection {
  /** identifies it among those of a virtual user */
  key: string;
  /** the step opens it */
  opens: boolean;
  /** it stays open for the next iterations */
  keeps: boolean;
  /** the step has nothing to do if it is so; null: the step always has */
  skipsIf: 'open' | 'closed' | null;
}

/** the run options that a protocol may not be able to follow */
export interface FittedOptions {
  requestsPerConnection?: number;
  pipelining?: number;
  keepAlive?: boolean;
  http2?: boolean | string;
  proxies?: ProxySettings;
}

export type AddProblem = (path: string, reason: string, options?: string[]) => void;

/** What operations of a kind have in common, after they are compiled. */
export interface StepProtocol {
  name: string;
  /** the property that makes an operation one of this protocol; null: it is that of all others */
  key: string | null;
  /** code of the flow makes its requests, and knows where they lead */
  isCode?: boolean;
  /** what the description of a run says about its operations if the run uses HTTP/2: `WebSockets over HTTP/1.1` */
  besideHttp2?: string;
  /** Reports run options that do not fit the steps of a flow, of all its protocols. */
  refuseOptions?: (options: FittedOptions, steps: Step[], add: AddProblem) => void;
  /** Loads the client of its connections; without it, they are those of the HTTP client of the run. */
  loadClient?: () => Promise<TransportClient>;
}

/** how the response of an operation is read as it arrives */
export interface StepReader {
  /** such a response, for messages: `a stream` */
  noun: string;
  /** the key of figures that it adds to those of its operation */
  figures: string;
  /** how long it is read after its head, ms: its exchange may take longer by that; null: until it ends */
  forMs: number | null;
  /** makes the decisions that all exchanges of the step have in common: a ReadingPlan of lib/core/iteration */
  plan(step: Step, context: any, operation: OperationRecorder): unknown;
}

/** an operation, compiled */
export interface StepOfRequest {
  /** `flow.main[0]` */
  where: string;
  /** `GET /items/#{INDEX}` */
  name: string;
  /** its origin, unless that depends on a token */
  origin?: string;
  /** of its request, with `#{…}` in path and query, unless code decides */
  route?: { method: string; path: string };
  /** that it speaks to that origin; undefined: HTTP/1.1 */
  version?: ChosenVersion;
  /** on the way to that origin */
  proxy: ProxyLeg | null;
  phase: Phase;
  /** the entry of the phase */
  opIndex: number;
  /** null: an operation; otherwise a function, which makes its requests itself */
  call: FunctionCall | null;
  /** null: every iteration performs it once */
  control: Control | null;
  /** how often an iteration performs it at most; Infinity: a function decides */
  rounds: number;
  /** of consecutive operations that are measured as one */
  group: string | null;
  /** that its figures are added up by */
  tags: Record<string, string> | null;
  /** whose iterations perform it; null: all iterations do */
  scenario: CompiledScenario | null;
  /**
   * of a `oneOf`, shared by its steps: the position of the one that an iteration performs; null for an operation that
   * every iteration performs
   */
  choice: ((index: number) => number) | null;
  /** when every iteration sends the same one */
  request: Request | null;
  render: (scope: Scope) => Request;
  /** the request asks the server to close the connection */
  closesConnection: boolean;
  bodyCost: BodyCost;
  /** a private copy for hooks */
  options: (scope: Scope) => Operation;
  /** the request after hooks changed it */
  renderOptions: (options: Operation, scope: Scope, shown: Shown) => Changed;
  /** of its request; the place of each is the one of its placeholder */
  values: NamedValue[];
  beforeHooks: NamedHook[];
  afterHooks: NamedHook[];
  /** of `expect` */
  checks: NamedCheck[];
  /** which statuses of 400 or more `expect` allows; null: none */
  acceptsStatus: ((status: number) => boolean) | null;
  captures: Capture[];
  /** what makes a response an error beside its status and `expect`; null: nothing */
  fault: ((received: Received) => Error | null) | null;
  /**
   * finds such a fault by the request that is sent, whose body functions, hooks or tokens make; absent: `fault` is
   * known
   */
  faultOfSent?: (request: Request) => Step['fault'];
  /** that its request reads */
  variables: string[];
  /** the parts of a response that its after-hooks, its checks and its captures read */
  needs: Needs;
  /** reads its response as it arrives; null: it is read when it is complete */
  reader: StepReader | null;
  protocol: StepProtocol;
  /** the connection that it opens, uses or closes; null: any one to its endpoint */
  held: HeldConnection | null;
  /** it only prepares the request that follows, and is none of its own */
  isImplied: boolean;
  /** a function that begins or ends a virtual user; null: any other step */
  userPart: 'begin' | 'end' | null;
  /** code can change the operation while its phase runs; undefined: it cannot */
  live?: LiveStep;
}

/** the operation of a step, as code can change it */
export interface LiveStep {
  /** an iteration reads a part of it when it begins the phase */
  readonly isReadAtStart: boolean;
  /** that part has changed */
  isStaleAtStart: () => boolean;
  /** the other part has changed, which is read before each request */
  isStale: () => boolean;
  /** throws E_FLOW; the step has a `live` of its own */
  renewedAtStart: () => Step;
  renewed: () => Step;
}

export type Step = StepOfRequest & Rules;

/** the request options as hooks got them */
export interface Shown {
  /** the field that was created from `env.user`, if any */
  authorization: unknown;
  /** the hook replaced the whole object */
  isReplaced: boolean;
}

/** `rules`: null if they are those of the step */
export interface Changed {
  request: Request;
  rules: Rules | null;
}

export type CompiledFlow = Record<Phase, Step[]>;

export type Row = Record<string, unknown>;

/** The feeders of a flow. */
export interface Feeders {
  /** The rows of an iteration, by feeder; each is read when it is first used, and throws E_DATA if there is none. */
  rowsOf(index: number | undefined): Record<string, Row>;
}
