import type { CallScope, Computed, FieldValue, FunctionStep, Operations, Scope } from './flows.js';
import type { ThinkTime, TlsMaterial, TokenValue } from './flows.js';
import type { Hook, HookResponse } from './hooks.js';
import type { GivenRunOptions, ScenarioLoad } from './run-options.js';
import type { SectionFunction, Thresholds } from './run.js';

/** Made from tables by `npm run generate`: change a row, not this file. */

/** The name of a built-in hook. */
export type HookName = 'useEtag' | 'saveEtag' | 'ignoreStatus' | 'verify2XX' | 'startStepTimer' | 'endStepTimer';

/** Comparisons of one value, all of which must pass. */
export interface Comparisons {
  /** Equal; objects and arrays are compared by their content. */
  eq?: unknown;
  /** Not equal; a missing value is not equal to any other. */
  ne?: unknown;
  /** More than this number, or after this text. */
  gt?: number | string;
  /** At least this number, or not before this text. */
  gte?: number | string;
  /** Less than this number, or before this text. */
  lt?: number | string;
  /** At most this number, or not after this text. */
  lte?: number | string;
  /** Equal to one of these values. */
  in?: unknown[];
  /** The type, or a list of types: string, number, integer, boolean, object, array, null. */
  type?: string | string[];
  /** True: there is a value, which may be null; false: there is none. */
  exists?: boolean;
  /** The number of characters of a text or of items of an array: a number, or comparisons such as { gt: 0 }. */
  length?: number | Comparisons;
  /** A text with this text in it, or an array with this item. */
  contains?: unknown;
  /** A text that matches this regular expression. */
  matches?: string | RegExp;
}

/** Conditions that the response of an operation must meet. */
export interface Expectation extends BenchRest.Checks {
  /** Name of the check in results; it passes if all properties beside it do. */
  name?: string;
  /** The status: a number, a class such as '2xx', or a list of them; it decides which statuses are errors. */
  status?: number | string | (number | string)[];
  /** Header fields by name, each a text in which * stands for any characters, a regular expression, or comparisons. */
  headers?: Record<string, string | number | RegExp | Comparisons>;
  /**
   * Values of the body by JSONPath (RFC 9535), each compared with a JSON value, with a regular expression, or by
   * comparisons.
   */
  json?: Record<string, string | number | boolean | null | unknown[] | RegExp | Comparisons>;
  /** The body as text: a text that it contains, a regular expression, or comparisons. */
  text?: string | RegExp | Comparisons;
  /** The whole body of the response, compared exactly. */
  body?: string;
  /** The maximum service time of the operation, redirects included: milliseconds, or a time such as '500ms'. */
  within?: number | string;
  /** A JSON Schema of the body, or the path of its file; draft 2020-12 unless its $schema names 2019-09, 7 or 6. */
  schema?: object | string;
  /** The number of events of a stream: a number, or comparisons such as { gte: 5 }. @experimental */
  events?: number | Comparisons;
  /** The maximum time to the first event of a stream: milliseconds, or a time such as '2s'. @experimental */
  firstEvent?: number | string;
  /** The maximum time between two events of a stream: milliseconds, or a time such as '2s'. @experimental */
  gap?: number | string;
  /** Allow-errors: the list errors in a response of GraphQL is no error. @experimental */
  graphql?: 'allow-errors';
  /**
   * The status of a gRPC call, such as 'NOT_FOUND', or a list of them; status of such an operation is the same.
   * @experimental
   */
  grpcStatus?: string | string[];
}

/** Credentials of an operation. */
export interface Auth {
  /** User name for basic authentication. */
  user?: string;
  /** The same as user. */
  username?: string;
  /** Password for basic authentication. */
  pass?: string;
  /** The same as pass. */
  password?: string;
  /**
   * Send credentials with the first request; false: when the server asks for them, by digest, basic or bearer
   * authentication.
   */
  sendImmediately?: boolean;
  /** Token for bearer authentication, or a function that returns it. */
  bearer?: string | (() => string);
}

export interface GetRequest {
  /** URL of the request, sent with GET. */
  get: Computed<string | URL>;
}

export interface HeadRequest {
  /** URL of the request, sent with HEAD. */
  head: Computed<string | URL>;
}

export interface PutRequest {
  /** URL of the request, sent with PUT. */
  put: Computed<string | URL>;
}

export interface PostRequest {
  /** URL of the request, sent with POST. */
  post: Computed<string | URL>;
}

export interface PatchRequest {
  /** URL of the request, sent with PATCH. */
  patch: Computed<string | URL>;
}

export interface DelRequest {
  /** The same as delete. */
  del: Computed<string | URL>;
}

export interface DeleteRequest {
  /** URL of the request, sent with DELETE. */
  delete: Computed<string | URL>;
}

export interface OptionsRequest {
  /** URL of the request, sent with OPTIONS. */
  options: Computed<string | URL>;
}

export interface UriRequest {
  /** HTTP method, used with uri or url: any name. Default: `"GET"`. */
  method?: string;
  /** The same as url. */
  uri: Computed<string | URL>;
}

export interface UrlRequest {
  /** HTTP method, used with uri or url: any name. Default: `"GET"`. */
  method?: string;
  /** URL of the request, used with method. */
  url: Computed<string | URL>;
}

export interface WsRequest {
  /** URL of a WebSocket: it is opened if no earlier operation of the iteration did. */
  ws: string | URL;
}

export interface GrpcRequest {
  /** Method of gRPC: 'package.Service/Method', or its URL, 'grpc://host/package.Service/Method'. */
  grpc: string;
}

export interface MeasureRequest {
  /** Name of a call that run makes with any client: it is measured as a request is. */
  measure: string;
}

/** The method and the URL of an operation: one key for both, or method and uri. */
export type MethodAndUrl =
  | GetRequest
  | HeadRequest
  | PutRequest
  | PostRequest
  | PatchRequest
  | DelRequest
  | DeleteRequest
  | OptionsRequest
  | UriRequest
  | UrlRequest
  | WsRequest
  | GrpcRequest
  | MeasureRequest;

/** The properties of an operation beside method and URL. */
export interface OperationCommon {
  /** Message to send, or several: text, { json: value }, or a Buffer, which is sent as binary data. */
  send?: Computed<string | Uint8Array | { json: unknown }> | Computed<string | Uint8Array | { json: unknown }>[];
  /**
   * Messages to wait for: how many, or what the next one is, or a list; default: as many as are sent; 0: do not wait.
   */
  receive?:
    | number
    | RegExp
    | Computed<string | Uint8Array | { json: unknown }>
    | (RegExp | Computed<string | Uint8Array | { json: unknown }>)[];
  /**
   * Which messages are answers, the others are passed over: a text that they contain, a regular expression, or values
   * by JSONPath that tie an answer to its question.
   */
  match?: string | RegExp | Record<string, string | number | boolean | null | unknown[] | RegExp | Comparisons>;
  /** Close the WebSocket afterwards and wait for the answer of the server: true, or a close code. Default: `false`. */
  close?: boolean | number | { code?: number; reason?: string };
  /** Subprotocols to offer in the handshake. */
  protocols?: string | string[];
  /** Keep the WebSocket open for the next iterations of the virtual user. Default: `false`. */
  keepOpen?: boolean;
  /** Server of a call, in place of baseUrl: host and port, or a grpcs:// URL for TLS. @experimental */
  target?: string;
  /**
   * Types of a call: .proto files, or sets of descriptors (protoc --descriptor_set_out); default: the server is asked
   * by reflection. @experimental
   */
  proto?: string | string[] | { file: string | string[]; include?: string | string[] };
  /**
   * Message of a call, as JSON has it: fields by name; a list for a method that reads a stream. Default: `{}`.
   * @experimental
   */
  message?: Computed<Record<string, unknown>> | Computed<Record<string, unknown>>[];
  /** Metadata of a call; a name that ends with -bin has a Buffer, or base64. @experimental */
  metadata?: Record<string, string | string[] | Uint8Array>;
  /** Compresses the messages of a call; those of responses are decompressed in any case. @experimental */
  compression?: 'gzip';
  /**
   * Function that makes the call of measure; it may be async, and gets the state of the iteration and a signal.
   * @experimental
   */
  run?: (scope: CallScope) => unknown;
  /** What the response must be; another one is an error of the kind expect. */
  expect?: Expectation | Expectation[];
  /** Name of the operation in results; default: method and path. */
  name?: string;
  /**
   * Share of the iterations that perform this operation of a oneOf; default: in turn, or 1 if another one has a weight.
   */
  weight?: number;
  /** True: checked with the flow, and left out of every run. Default: `false`. */
  skip?: boolean;
  /** Condition of the operation, with repeat before each time: a function, or variables with values or comparisons. */
  when?:
    ((scope: Scope) => unknown) | Record<string, string | number | boolean | null | unknown[] | RegExp | Comparisons>;
  /**
   * How often the operation is performed, one after the other; { count: 50, every: '200ms' }: from start to start,
   * where the time before allows it. Default: `1`.
   */
  repeat?:
    | number
    | ((scope: Scope) => number | Promise<number>)
    | { count: number | ((scope: Scope) => number | Promise<number>); every: number | string };
  /** Group of consecutive operations that are measured as one transaction under this name. */
  group?: string;
  /** Tags of the operation: results have the figures of each tag, and thresholds select them: team:search p95<1s. */
  tags?: Record<string, string | number | boolean>;
  /**
   * Request body, sent as JSON, and the response is parsed as JSON; true: parse the response, and send body as JSON.
   */
  json?: unknown;
  /** Request body: text, a Buffer, an array of them, or { file: path }; with json: true any value, sent as JSON. */
  body?: Computed<string | Uint8Array | (string | Uint8Array)[] | { file: string } | object>;
  /** Request body, sent as application/x-www-form-urlencoded. */
  form?: Computed<Record<string, unknown> | string>;
  /** Request body, sent as multipart/form-data. */
  formData?: Computed<Record<string, unknown>>;
  /** Request body, sent as multipart/related: an array of parts, each with its header fields and a body. */
  multipart?: Computed<
    | ({ body: unknown } & Record<string, unknown>)[]
    | {
        data: ({ body: unknown } & Record<string, unknown>)[];
        chunked?: boolean;
        preambleCRLF?: boolean;
        postambleCRLF?: boolean;
      }
  >;
  /**
   * Query of GraphQL, sent as JSON with variables; the response is parsed as JSON, and its errors are errors: text, or
   * an object with query or file, and operation (the name) and persisted (by hash). @experimental
   */
  graphql?: string | { query?: string; file?: string; operation?: string; persisted?: boolean };
  /** Variables of a GraphQL query: they may have tokens and functions, as json may. @experimental */
  variables?: Computed<Record<string, unknown>>;
  /** Request headers. */
  headers?: Computed<Record<string, Computed<FieldValue>>>;
  /** Query parameters; they replace those of the same name in the URL. */
  qs?: Computed<Record<string, unknown>>;
  /** Credentials for basic, digest or bearer authentication: { user, pass } or { bearer }. */
  auth?: Auth;
  /**
   * Sign the request for AWS (Signature Version 4): { accessKeyId, secretAccessKey, region, service, sessionToken }, as
   * #{env.NAME}.
   */
  aws?: { accessKeyId: string; secretAccessKey: string; region: string; service: string; sessionToken?: string };
  /** Follow redirects of GET and HEAD requests; a function gets each redirect and decides. Default: `true`. */
  followRedirect?: boolean | ((response: HookResponse) => boolean);
  /** Follow redirects of all methods. Default: `false`. */
  followAllRedirects?: boolean;
  /** Add no Referer to the requests of redirects, and keep the one of the operation. Default: `false`. */
  removeRefererHeader?: boolean;
  /** Maximum number of redirects to follow. Default: `10`. */
  maxRedirects?: number;
  /** Time limit in ms, or a time such as '2s'; 0: none; default: the run option timeout. */
  timeout?: number | string;
  /**
   * Wait as a response of 429 or 503 asks (Retry-After), and send the request again: true, or a policy; default: the
   * run option retryAfter. Default: `false`. @experimental
   */
  retryAfter?:
    | boolean
    | { statuses?: number[]; attempts?: number; first?: number | string; longest?: number | string; jitter?: number };
  /**
   * Think time after the operation: milliseconds, '2s', a range such as [500, 2000], or a normal distribution such as
   * { mean: '2s', dev: 500 }; not included in any timing.
   */
  pause?: Computed<ThinkTime>;
  /** Ask for compressed responses if true; do not decompress if false; default: decompress unless encoding is null. */
  gzip?: boolean;
  /** Character encoding of the response body; null: hooks get a Buffer. Default: `"utf8"`. */
  encoding?: BufferEncoding | null;
  /** Cookies of this request, beside those of the jar and of the run. */
  cookies?: Record<string, string | number>;
  /** Keep cookies and send them back; false: no cookies. Default: `true`. */
  jar?: boolean;
  /**
   * Measure the events of the response as they arrive: sse (Server-Sent Events), ndjson, lines, chunks, true (by
   * Content-Type), or an object with its end. @experimental
   */
  stream?:
    | boolean
    | 'sse'
    | 'ndjson'
    | 'lines'
    | 'chunks'
    | {
        kind?: true | 'sse' | 'ndjson' | 'lines' | 'chunks';
        first?: string;
        count?: string;
        end?: string;
        events?: number;
        for?: number | string;
        reconnect?: boolean | number;
      };
  /**
   * Values to take from the response, each under the name of a token: a JSONPath, or { header }, { cookie }, { status }
   * or { text }; of a stream with the event that has it; with match for a part of the value, decode if it is encoded,
   * and a default if it may be missing.
   */
  capture?: Record<
    string,
    | string
    | {
        json?: string;
        header?: string;
        cookie?: string;
        status?: true;
        text?: string | RegExp;
        match?: string | RegExp;
        decode?: 'percent' | 'html';
        event?: string | true;
        join?: boolean;
        default?: unknown;
      }
  >;
  /** Hooks that run before the request is sent. Default: `[]`. */
  beforeHooks?: (HookName | Hook)[];
  /** Hooks that run after the response. Default: `[]`. */
  afterHooks?: (HookName | Hook)[];
  /** Keep the connection for the next request; false: close it after this one. Default: `true`. */
  keepAlive?: boolean;
  /** Unix domain socket to connect to. */
  socketPath?: string;
  /** IP address of this machine that connections come from. */
  localAddress?: string;
  /** HTTP proxy of the request, such as http://proxy:3128; null: none; default: the run option proxy. */
  proxy?: string | URL | null | false;
  /** Reach http: URLs through a tunnel of the proxy (CONNECT), as https: URLs always are. Default: `false`. */
  tunnel?: boolean;
  /**
   * True: speak HTTP/2 to an https: URL, or HTTP/1.1 if the server has no HTTP/2; 'only': fail then; 'prior-knowledge':
   * speak it to an http: URL, too; default: the run option http2.
   */
  http2?: boolean | 'only' | 'prior-knowledge';
  /** Verify the TLS certificate of the server. Default: `true`. */
  rejectUnauthorized?: boolean;
  /** The same as rejectUnauthorized. Default: `true`. */
  strictSSL?: boolean;
  /** Trusted certificate authorities, PEM or a file. */
  ca?: TlsMaterial | TlsMaterial[];
  /** Client certificate, PEM or a file. */
  cert?: TlsMaterial | TlsMaterial[];
  /** Private key of the client certificate, PEM or a file. */
  key?: TlsMaterial | TlsMaterial[];
  /** Client certificate and private key, PKCS #12 or a file. */
  pfx?: TlsMaterial | TlsMaterial[];
  /** Passphrase of the private key. */
  passphrase?: string;
  /** Server name for TLS (SNI); default: the host of the URL. */
  servername?: string;
  /** Oldest version of TLS to use: 1.0, 1.1, 1.2 (the default) or 1.3. */
  minVersion?: string | number;
  /** Newest version of TLS to use: 1.0, 1.1, 1.2 or 1.3 (the default). */
  maxVersion?: string | number;
  /** Cipher suites to use, as OpenSSL names them, separated by colons. */
  ciphers?: string;
  /** TLS options, such as ca and rejectUnauthorized, as in the request library; the operation can have them itself. */
  agentOptions?: Record<string, unknown>;
  /** URL in front of the path of the operation; see the run option baseUrl. */
  baseUrl?: string | URL;
  /** Such as TLSv1_2_method: minVersion and maxVersion at once. */
  secureProtocol?: string;
  /** Line break in front of a multipart body. */
  preambleCRLF?: boolean;
  /** Line break after a multipart body. */
  postambleCRLF?: boolean;
}

/** A scenario of a flow. */
export interface Scenario {
  /** Share of the iterations that run this scenario; default: in turn, or 1 if another one has a weight. */
  weight?: number;
  /** A load of its own, beside those of other scenarios; default: a share of the load of the run. @experimental */
  load?: ScenarioLoad;
  /** When its own load begins: after a time such as '30s', or after the load of another scenario. @experimental */
  startAfter?: number | string;
  /** Operations at the start of its iterations, after those of the flow. Default: `[]`. */
  beforeMain?: Operations;
  /** Operations of its iterations; their time is measured. */
  main: Operations;
  /** Operations at the end of its iterations, even after an error, before those of the flow. Default: `[]`. */
  afterMain?: Operations;
}

/** The rows of a feeder, and which of them each iteration gets. */
export interface FeederOptions {
  /** Path of a file, relative to the flow. */
  file?: string;
  /** The rows, instead of a file. */
  rows?: Record<string, unknown>[];
  /** Which row an iteration gets: sequential, shuffled, random, unique. Default: `"sequential"`. */
  order?: 'sequential' | 'shuffled' | 'random' | 'unique';
  /**
   * What happens after the last row of order unique: the run ends, or operations that need a row fail. Default:
   * `"end"`.
   */
  whenEmpty?: 'end' | 'fail';
  /** Character between the values of a CSV file; default: a comma, and a tab in a .tsv file. */
  delimiter?: string;
  /** Names of the columns of a CSV file whose first line does not have them. */
  columns?: string[];
}

/** A feeder: a file of rows, rows, or an object. */
export type FeederDefinition = string | Record<string, unknown>[] | FeederOptions;

/** A flow with phases. */
export interface PhasesFlow {
  /** Operations that run once, first. Default: `[]`. */
  before?: Operations;
  /** Operations at the start of every iteration, before main. Default: `[]`. */
  beforeMain?: Operations;
  /** Operations of every iteration; their time is measured. */
  main: Operations;
  /** Operations at the end of every iteration, even after an error. Default: `[]`. */
  afterMain?: Operations;
  /** Operations that run once, last. Default: `[]`. */
  after?: Operations;
  /** Base URL of relative URLs. */
  baseUrl?: string;
  /** Unix domain socket that every operation without one of its own connects to. */
  socketPath?: string;
  /** Default headers of every operation. Default: `{}`. */
  headers?: Record<string, Computed<FieldValue>>;
  /** Hooks that run before every operation. Default: `[]`. */
  beforeHooks?: (HookName | Hook)[];
  /** Hooks that run after every operation. Default: `[]`. */
  afterHooks?: (HookName | Hook)[];
  /** Tokens of the flow, each a function that returns its value for a request: #{name}. Default: `{}`. */
  tokens?: Record<string, (scope: Scope) => TokenValue | Promise<TokenValue>>;
  /**
   * Variables of the run at its start: captures and hooks set others and replace them, tokens read them: #{name}.
   * Default: `{}`.
   */
  vars?: Record<string, any>;
  /** Feeders: rows of files, of which each iteration gets one, as #{name.column}. Default: `{}`. */
  data?: Record<string, FeederDefinition>;
  /** A function that begins each virtual user, before its first iteration: it opens what the user needs. */
  beforeUser?: FunctionStep;
  /** A function that ends each virtual user, after its last iteration: it closes what beforeUser opened. */
  afterUser?: FunctionStep;
  /** Initial iterCtx: each iteration gets a copy of it. Default: `{}`. */
  iterCtx?: Record<string, any>;
  /** Run options; the command line wins over them. */
  runOptions?: GivenRunOptions;
  /** Conditions for the run to pass, such as { p99: '<200ms' }. */
  thresholds?: Thresholds;
  /** A function that gets the result and returns a section of the report: text, { title, text, rows } or rows. */
  section?: SectionFunction;
  /** URL or path of flow.schema.json, for editors. */
  $schema?: string;
}
