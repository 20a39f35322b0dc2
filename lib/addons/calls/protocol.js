import { createRequire } from 'node:module';

import { makeError } from '../../core/ground/errors.js';

/** @import { Operation } from '../../core/contracts/step.js' */
/** @import { Property } from '../../core/flow/types.js' */
/** @import { OfferedProtocol, ProtocolEntry } from '../../core/flow/protocols/types.js' */

const requireHere = createRequire(import.meta.url);

/** Most commands run no flow. @type {() => typeof import('./protocol-steps.js')} */
const loadSteps = () => requireHere('./protocol-steps.js');

/**
 * A protocol of an add-on, whose connections it opens itself: each virtual user has one to each server.
 *
 * @template C
 * @typedef {object} ProtocolFacts
 * @property {string} key the property of operations that has the URL; also the name of the protocol
 * @property {string} scheme of its URLs: `line` for `line://host:7000`
 * @property {true} [tls] its URLs may be `lines://`, too: `open` opens a connection with TLS
 * @property {string} about a phrase for documents
 * @property {{ one: string, many: string }} noun its operations, for messages: `a line`, `lines`
 * @property {Record<string, Property>} properties the other properties of its operations; tokens in them are replaced;
 *   one with `isRequired` must be in each operation
 * @property {string} [body] the one that has the text of `-b` beside a URL
 * @property {('headers' | 'user')[]} [takes] run options that it has a use for: others are refused beside its URL
 * @property {(operation: Operation) => { key: string, reason: string }[]} [refuse] what does not fit together in an
 *   operation, as the flow has it; a property that it lacks is named with the operation
 * @property {string[]} [checks] the checks of `expect` that read what a call returns, beside json, schema and within
 * @property {(url: URL, context: ProtocolScope) => C | Promise<C>} open opens a connection
 * @property {(connection: C, operation: Record<string, any>, context: ProtocolScope) => unknown} call makes the
 *   measured call; what it returns is the response, what it throws an error of the run
 * @property {(connection: C) => unknown} [close] ends a connection: after its last call, after an error, or a timeout
 */

/**
 * The state of the iteration that makes a call.
 *
 * @typedef {object} ProtocolScope
 * @property {AbortSignal} signal aborted when the time of the call is over, or the run
 * @property {number} index of the iteration
 * @property {number} vu the virtual user
 * @property {string} [user] `-u` of a protocol that takes it
 * @property {string} [password]
 * @property {Record<string, string>} [headers] `-H` of a protocol that takes them
 * @property {Record<string, unknown>} vars captured values
 * @property {Record<string, Record<string, unknown>>} data the rows of feeders
 */

const FACTS = {
  key: 'string',
  scheme: 'string',
  about: 'string',
  noun: 'object',
  properties: 'object',
  open: 'function',
  call: 'function',
};

/**
 * Returns the row of a protocol whose operations are calls of the add-on: each is measured from its call until its
 * promise is resolved. The first call of a virtual user contains the opening of its connection.
 *
 * @template C
 * @param {ProtocolFacts<C>} facts
 * @returns {ProtocolEntry}
 * @throws {TypeError} a fact is missing
 */
export function defineProtocol(facts) {
  for (const [name, type] of Object.entries(FACTS))
    if (typeof (/** @type {any} */ (facts)[name]) !== type)
      throw new TypeError(`the protocol ${facts.key} has no ${name} of the type ${type}`);
  const { key, scheme, tls, about, noun, properties, body } = facts;
  if (body !== undefined && !Object.hasOwn(properties, body))
    throw new TypeError(`the protocol ${key} has no property ${body}, which body names`);
  const example = `${key}: '${scheme}://…'`;
  const url = {
    type: 'string',
    check: (/** @type {unknown} */ value) => typeof value === 'string' && value !== '',
    expected: `a URL such as '${scheme}://localhost:7000'`,
    schema: { type: 'string', minLength: 1 },
    about: `URL of ${noun.one}, ${scheme}://host:port`,
  };
  /** @type {OfferedProtocol} */
  const protocol = {
    name: key,
    about,
    key,
    urlKey: key,
    noun,
    example,
    properties: { [key]: url, ...properties },
    mutable: [],
    computed: {},
    keepsEmpty: true,
    refusals: { function: `is for operations of a phase: a function cannot make ${noun.many}` },
    refuse: (operation) => loadSteps().refuseOperation(operation, facts),
    nameOf: ({ name, [key]: given }) => String(name ?? given),
    isCode: true,
    fromUrl: (given, request) => operationOf(given, request, facts),
    compile: (compiler) => loadSteps().protocolSteps(compiler, facts),
    refuseOptions: (options, steps, add) => loadSteps().refuseRunOptions(options, { steps, add, facts }),
    loadClient: () => import('./client.js'),
  };
  return { scheme, ...(tls !== true && { isPlain: true }), load: () => protocol };
}

/**
 * Returns the operation of a URL, with what the command line gives beside it.
 * @throws {Error} E_USAGE: it has no meaning
 * @type {(url: unknown, request: Record<string, any> | undefined, facts: ProtocolFacts<any>) => Operation}
 */
function operationOf(url, { method, headers, body: text, formData, expect } = {}, { key, noun, body }) {
  const refused = Object.entries({
    '-b': body === undefined ? text : undefined,
    '-b with a file': typeof text === 'string' ? undefined : text,
    '-T': headers,
    '-F': formData,
    '--expect-body': expect,
    // -b alone is a POST
    '-m': text === undefined || method !== 'POST' ? method : undefined,
  }).find(([, given]) => given !== undefined);
  if (refused === undefined) return { [key]: url, ...(body !== undefined && text !== undefined && { [body]: text }) };
  const cure = body === undefined ? 'write an operation in a flow' : `-b <text> is its ${body}`;
  throw makeError('E_USAGE', { problem: `${refused[0]} has no meaning for ${noun.one} (${url}): ${cure}` });
}
