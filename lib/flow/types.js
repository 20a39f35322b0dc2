/**
 * @import { ThinkTime } from '../ground/units.js'
 * @import { Hook, HookEntry } from '../hooks/types.js'
 * @import { Endpoint, ProxyLeg } from '../http/endpoint.js'
 * @import { Needs, Response } from '../transport/types.js'
 * @import { Capture } from './captures/index.js'
 * @import { NamedCheck } from './checks/index.js'
 * @import { Control } from './control.js'
 * @import { FunctionCall } from './function-step.js'
 * @import { NamedOrigins } from './named-origins.js'
 * @import { Protocol } from './protocols/index.js'
 * @import { RawScenario } from './scenarios.js'
 */

/**
 * @typedef {import('../ground/phases.js').Phase} Phase
 *
 * @typedef {Record<string, any>} Operation one entry of a phase, as the user wrote it
 *
 * @typedef {object} RawFlow all shortcuts resolved
 * @property {Record<Phase, Operation[]>} phases
 * @property {Record<string, unknown>} headers defaults for every operation
 * @property {Record<string, (scope: Scope) => unknown>} computedHeaders those of them that functions return
 * @property {string} [baseUrl]
 * @property {string} [socketPath] of a unix socket, for every operation
 * @property {RawScenario[]} scenarios none: every iteration runs the same operations
 * @property {unknown[]} beforeEach hooks around every operation
 * @property {unknown[]} afterEach
 * @property {Record<string, (scope: Scope) => unknown>} tokens
 * @property {Record<string, unknown>} vars the variables of the run at its start
 * @property {Record<string, unknown>} data feeders
 * @property {Record<string, any>} iterCtx
 * @property {Record<string, unknown>} runOptions
 * @property {((result: any) => unknown) | null} report adds a section to the result
 *
 * @typedef {object} Request
 * @property {Endpoint} endpoint
 * @property {string} method
 * @property {string} path path and query
 * @property {string[]} fields names and values in turn; the same array for all iterations if no value has a token
 * @property {string[] | null} extra fields of this request alone: cookies, credentials
 * @property {string | Buffer | null} body
 * @property {boolean} isForeign a value of the run chose an origin that the flow does not name: without the
 *   credentials of the run
 * @property {Task} [task] what it does with a WebSocket
 *
 * @typedef {{ index?: number, user?: string, password?: string, values?: unknown[], vars?: Record<string, unknown> }}
 *   Scope the values that tokens and functions of the flow read: the Env of the iteration. `values`: what the functions
 *   of the current operation have returned; `vars`: the variables of the iteration
 *
 * @typedef {{ user?: string, password?: string, bearer?: string, isOfRun?: boolean }} Credentials
 *
 * @typedef {object} NamedHook
 * @property {string} where `flow.main[0].afterHooks[1]`
 * @property {Hook} hook
 * @property {HookEntry} [entry] of a built-in one
 * @property {Needs} reads the parts of the response that the hook reads
 *
 * @typedef {object} NamedValue a function of the flow that returns a value for each request
 * @property {string} where `flow.main[0].json`
 * @property {(scope: Scope) => unknown} call may return a promise
 * @property {boolean} isOfCode a function of the flow, not a built-in token or a row
 * @property {(value: unknown) => unknown} take returns the value, or throws E_REQUEST_FIELD if it has the wrong type
 *
 * @typedef {object} BodyCost what the body of a request costs
 * @property {boolean} isShared every iteration sends the same bytes
 * @property {number} held bytes that are kept during the run
 * @property {number} copied bytes of them that every request in flight copies
 *
 * @typedef {object} RunSecrets the credentials of the run in a request
 * @property {ReadonlySet<string>} fields their names in lower case
 * @property {NamedOrigins} origins that get them
 *
 * @typedef {object} Rules everything about an operation except its request
 * @property {boolean | ((scope: Scope) => boolean)} parsesJson a function decides it for each request if one returns
 *   `json`
 * @property {boolean} hasCookies false for `jar: false`
 * @property {boolean} asBuffer `encoding: null`
 * @property {BufferEncoding} encoding
 * @property {boolean} decodes content codings are decoded
 * @property {number} maxRedirects 0: none is followed
 * @property {((response: Response) => unknown) | null} mayFollow decides about each redirect
 * @property {boolean} sendsReferer to the target of a redirect
 * @property {boolean} keepsRequest after-hooks can read the request as it was sent
 * @property {number | null} timeoutMs null: that of the run
 * @property {ThinkTime | ((scope: Scope) => unknown) | null} pauseMs think time after the operation
 * @property {((scope: Scope) => Credentials) | null} credentials sent when the server asks for them
 * @property {RunSecrets | null} runSecrets null: nothing of the run follows a redirect to another origin
 * @property {boolean} hasCredentials the operation or a hook decides the Authorization field, not `env.user`
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {number} at its position in the flow
 * @property {string[]} names of all scenarios of the flow
 * @property {(index: number) => number} choose the position of the scenario that an iteration runs
 *
 * @typedef {object} StepOfRequest an operation, compiled
 * @property {string} where `flow.main[0]`
 * @property {string} name `GET /items/#{INDEX}`
 * @property {string} [origin] its origin, unless that depends on a token
 * @property {ProxyLeg | null} proxy on the way to that origin
 * @property {Phase} phase
 * @property {number} opIndex the entry of the phase
 * @property {FunctionCall | null} call null: an operation; otherwise a function, which makes its requests itself
 * @property {Step} [caller] the function that requests the operation
 * @property {Control | null} control null: every iteration performs it once
 * @property {number} rounds how often an iteration performs it at most; Infinity: a function decides
 * @property {string | null} group of consecutive operations that are measured as one
 * @property {Record<string, string> | null} tags that its figures are added up by
 * @property {Scenario | null} scenario whose iterations perform it; null: all iterations do
 * @property {((index: number) => number) | null} choice of a `oneOf`, shared by its steps: the position of the one
 *   that an iteration performs; null for an operation that every iteration performs
 * @property {Request | null} request when every iteration sends the same one
 * @property {(scope: Scope) => Request} render
 * @property {boolean} closesConnection the request asks the server to close the connection
 * @property {BodyCost} bodyCost
 * @property {(scope: Scope) => Operation} options a private copy for hooks
 * @property {(options: Operation, scope: Scope, shown: Shown) => Changed} renderOptions the request after hooks
 *   changed it
 * @property {NamedValue[]} values of its request; the place of each is the one of its slot
 * @property {NamedHook[]} beforeHooks
 * @property {NamedHook[]} afterHooks
 * @property {NamedCheck[]} checks of `expect`
 * @property {((status: number) => boolean) | null} acceptsStatus which statuses of 400 or more `expect` allows; null:
 *   none
 * @property {Capture[]} captures
 * @property {string[]} variables that its request reads
 * @property {Needs} needs the parts of a response that its after-hooks, its checks and its captures read
 * @property {Protocol} protocol
 * @property {HeldConnection | null} held the connection that it opens, uses or closes; null: any one to its endpoint
 * @property {boolean} isImplied it only prepares the request that follows, and is none of its own
 *
 * @typedef {StepOfRequest & Rules} Step
 *
 * @typedef {object} Shown the request options as hooks got them
 * @property {unknown} authorization the field that was created from `env.user`, if any
 * @property {boolean} isReplaced the hook replaced the whole object
 *
 * @typedef {{ request: Request, rules: Rules | null }} Changed `rules`: null if they are those of the step
 *
 * @typedef {Record<Phase, Step[]>} CompiledFlow
 */

/**
 * @typedef {(data: Buffer, isBinary: boolean) => string | null} Refuse explains why a message is not the expected
 *   one; null: it is
 *
 * @typedef {(data: Buffer) => boolean} IsAnswer tells an answer from other messages
 *
 * @typedef {object} ConnectTask
 * @property {'connect'} kind
 * @property {string[]} protocols
 *
 * @typedef {object} MessageTask
 * @property {'message'} kind
 * @property {(string | Buffer)[]} messages to send
 * @property {(Refuse | null)[]} expected one for each message that is awaited; null accepts any
 * @property {IsAnswer | null} isAnswer the others are passed over; null: all messages are answers
 *
 * @typedef {object} CloseTask
 * @property {'close'} kind
 * @property {number} code
 * @property {string} reason
 *
 * @typedef {ConnectTask | MessageTask | CloseTask} Task what a request does with a WebSocket
 *
 * @typedef {object} HeldConnection a connection that several operations of an iteration use
 * @property {string} key identifies it among those of a virtual user
 * @property {boolean} opens the step opens it
 * @property {boolean} keeps it stays open for the next iterations
 * @property {'open' | 'closed' | null} skipsIf the step has nothing to do if it is so; null: the step always has
 */

export {};
