import { counted } from '../../../core/ground/decimal.js';
import { countRequests, draftOf, mapOperations, mapTexts, newDraft, pathInFlow, withField } from '../draft.js';
import { withTokens } from '../curl/marks.js';
import { readCommands } from '../curl/shell.js';
import { replaceSecrets } from '../secrets.js';
import { settle } from '../tokens.js';
import { messageIn, protoOf } from './message.js';

/** @import { FlowDraft, ImportOptions, OperationDraft, Supported } from '../import.js' */

/** @type {Supported[]} */
export const supported = [
  { part: 'address and method', becomes: '`grpc`, with `grpc://` for -plaintext and `grpcs://` without it' },
  { part: '-d', becomes: '`message`' },
  { part: '-H, -rpc-header, -authority, -user-agent', becomes: '`metadata`' },
  { part: '-proto, -import-path, -protoset', becomes: '`proto`' },
  { part: '-insecure, -cacert, -cert, -key, -servername', becomes: 'options of TLS' },
  { part: '-max-time', becomes: '`timeout`' },
  { part: '-unix', becomes: '`socketPath`' },
];

/** How flags with a value change an operation. @type {Record<string, (operation: any, value: string) => void>} */
const VALUES = {
  H: addField,
  'rpc-header': addField,
  authority: (operation, value) => addField(operation, `host: ${value}`),
  'user-agent': (operation, value) => addField(operation, `user-agent: ${value}`),
  cacert: (operation, value) => void (operation.ca = value),
  cert: (operation, value) => void (operation.cert = value),
  key: (operation, value) => void (operation.key = value),
  servername: (operation, value) => void (operation.servername = value),
  'max-time': (operation, value) => void (operation.timeout = `${value}s`),
};
/** What shows a response, or describes a server. */
const SILENT = /^(?:v|vv|emit-defaults|format-error|expand-headers|use-reflection|msg-template)$/;
/** What `callOf` reads. */
const READ = new Set(['d', 'proto', 'protoset', 'import-path', 'plaintext', 'insecure', 'unix']);
const TAKES_VALUE = new Set([
  ...Object.keys(VALUES),
  ...['d', 'proto', 'import-path', 'protoset', 'format', 'reflect-header', 'connect-timeout', 'keepalive-time'],
  ...['max-msg-sz', 'protoset-out', 'proto-out-dir', 'alts-handshaker-service', 'alts-target-service-account'],
]);
const PATHS = ['ca', 'cert', 'key'];

/**
 * Reads grpcurl commands: each becomes a call.
 * @throws {Error} E_FLOW_FILE if none makes a call
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  const draft = newDraft();
  for (const { words, input, problems } of readCommands(text)) {
    if (!/(?:^|\/)grpcurl(?:\.exe)?$/.test(words[0] ?? '')) continue;
    const call = problems.length > 0 ? problems.join('; ') : callOf(words.slice(1), input, options);
    if (typeof call !== 'string') draft.phases.main.push(call);
    else draft.skipped.push({ what: withTokens(words.join(' ').slice(0, 100)), why: call });
  }
  const cure = "write a command such as: grpcurl -plaintext -d '{}' localhost:50051 shop.Orders/Create";
  const count = countRequests(draft, { path: options.from, cure });
  draft.comments.push(`Made from ${counted(count, 'grpcurl command')} by bench-rest import.`);
  const whole = mapOperations(draft, (one) => ({
    ...one,
    operation: mapTexts(one.operation, (each) => withTokens(each)),
  }));
  draft.dialectNotes.push(...draft.phases.main.flatMap(({ comments }) => comments));
  return replaceSecrets(settle(whole), options);
}

/** @typedef {{ name: string, value: string }} GivenFlag */

/**
 * Translates a command; a text: why it is no call.
 * @type {(words: string[], input: string | undefined, options: ImportOptions) => OperationDraft | string}
 */
function callOf(words, input, options) {
  const { flags, rest } = flagsIn(words);
  const [address, method] = rest;
  if (method === undefined || method === 'list' || method === 'describe')
    return `it makes no call: bench-rest list grpc://${address ?? 'host:port'} prints what a server offers`;
  const has = (/** @type {string} */ name) => flags.some((flag) => flag.name === name);
  const all = (/** @type {string} */ name) => flags.filter((flag) => flag.name === name).map(({ value }) => value);
  const scheme = has('plaintext') ? 'grpc' : 'grpcs';
  const host = has('unix') ? 'localhost' : address;
  /** @type {string[]} */
  const comments = [];
  /** @type {Record<string, any>} */
  const operation = {
    grpc: `${scheme}://${host}/${method.replace(/\.(?=[^./]+$)/, '/')}`,
    ...(has('unix') && { socketPath: address }),
    ...messageOf(all('d').at(-1), input, comments),
    ...protoOf(all('proto').concat(all('protoset')), all('import-path'), options),
    ...(has('insecure') && { rejectUnauthorized: false }),
  };
  addFlags(operation, flags, comments);
  for (const name of PATHS) if (operation[name] !== undefined) operation[name] = pathInFlow(operation[name], options);
  return draftOf(operation, comments);
}

/** @type {(data: string | undefined, input: string | undefined, comments: string[]) => { message?: unknown }} */
function messageOf(data, input, comments) {
  const given = data === '@' ? input : data;
  if (data === '@' && input === undefined) comments.push('The message is standard input, which is not in the command.');
  if (given === undefined) return {};
  const message = messageIn(given);
  if (message === undefined) comments.push('-d is left out: it is no JSON.');
  return message === undefined ? {} : { message };
}

/** @type {(operation: Record<string, any>, flags: GivenFlag[], comments: string[]) => void} */
function addFlags(operation, flags, comments) {
  for (const { name, value } of flags) {
    if (Object.hasOwn(VALUES, name)) VALUES[name](operation, value);
    else if (!READ.has(name) && !SILENT.test(name)) comments.push(`-${name} has no equivalent.`);
  }
}

/** @type {(words: string[]) => { flags: GivenFlag[], rest: string[] }} */
function flagsIn(words) {
  const flags = [];
  const rest = [];
  for (let i = 0; i < words.length; i++) {
    const [, name, value] = /^--?([a-zA-Z][\w-]*)(?:=(.*))?$/s.exec(words[i]) ?? [];
    if (name === undefined) rest.push(words[i]);
    else flags.push({ name, value: value ?? (TAKES_VALUE.has(name) ? (words[++i] ?? '') : '') });
  }
  return { flags, rest };
}

/** @type {(operation: Record<string, any>, field: string) => void} */
function addField(operation, field) {
  const [, name, value] = /^([^:]+):\s*(.*)$/s.exec(field) ?? [];
  if (name !== undefined) operation.metadata = withField(operation.metadata ?? {}, name.toLowerCase(), value);
}
