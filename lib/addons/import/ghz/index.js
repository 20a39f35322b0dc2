import { counted } from '../../../core/ground/decimal.js';
import { makeError } from '../../../core/ground/errors.js';
import { draftOf, mapTexts, newDraft, pathInFlow } from '../draft.js';
import { messageIn, protoOf } from '../grpcurl/message.js';
import { isRecord, jsonIn } from '../read-document.js';
import { replaceSecrets } from '../secrets.js';
import { settle, token } from '../tokens.js';
import { tomlIn } from './toml.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../import.js' */

/** @type {Supported[]} */
export const supported = [
  { part: 'call, host, insecure', becomes: '`grpc`' },
  { part: 'proto, import-paths, protoset', becomes: '`proto`' },
  { part: 'data, with RequestNumber, UUID, timestamps, randomInt and randomString', becomes: '`message`' },
  { part: 'metadata, authority', becomes: '`metadata`' },
  { part: 'cacert, cert, key, cname, skipTLS', becomes: 'options of TLS' },
  { part: 'enable-compression', becomes: '`compression`' },
  { part: 'total, concurrency, rps, duration, timeout, connect-timeout, connections', becomes: '`runOptions`' },
];

/** Run options, by the name that ghz has for them. @type {Record<string, string>} */
const LOAD = {
  total: 'iterations',
  concurrency: 'users',
  rps: 'rate',
  duration: 'duration',
  timeout: 'timeout',
  'connect-timeout': 'connectTimeout',
  connections: 'connections',
};
/** Properties of the operation, by the name that ghz has for them. @type {Record<string, string>} */
const TLS = { cacert: 'ca', cert: 'cert', key: 'key', cname: 'servername' };
const OWN = new Set([
  ...['call', 'host', 'insecure', 'proto', 'import-paths', 'protoset', 'data', 'metadata', 'authority', 'skipTLS'],
  ...['enable-compression', ...Object.keys(LOAD), ...Object.keys(TLS)],
  // how it prints results
  ...['name', 'output', 'format', 'tags', 'debug', 'config'],
]);

/**
 * Reads a configuration of ghz, in JSON or TOML.
 * @throws {Error} E_FLOW_FILE if it names no call
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  const config = /^\s*\{/.test(text) ? jsonIn(text) : tomlIn(text);
  if (!isRecord(config) || typeof config.call !== 'string')
    throw makeError('E_FLOW_FILE', {
      path: options.from,
      reason: 'is no configuration of ghz with a call that can be read',
      cure: 'write it as JSON, with call, host and proto',
    });
  const draft = newDraft({ comments: [`Made from ${counted(1, 'call')} of ghz by bench-rest import.`] });
  draft.phases.main.push(draftOf(operationOf(config, options, draft.dialectNotes)));
  const load = Object.entries(LOAD).filter(([name]) => config[name] !== undefined && config[name] !== 0);
  // By default ghz makes 200 calls with 50 workers; a duration replaces the number of calls.
  const runOptions = Object.fromEntries(load.map(([name, ours]) => [ours, config[name]]));
  if (config.duration !== undefined) delete runOptions.iterations;
  else runOptions.iterations ??= 200;
  runOptions.users ??= 50;
  draft.properties = { runOptions };
  for (const name of Object.keys(config))
    if (!OWN.has(name)) draft.skipped.push({ what: name, why: 'it has no equivalent' });
  return replaceSecrets(settle(draft), options);
}

/** @type {(config: Record<string, any>, options: ImportOptions, notes: string[]) => Record<string, any>} */
function operationOf(config, options, notes) {
  const { call, host = 'localhost:50051', insecure = false, proto, protoset, data, metadata = {}, authority } = config;
  const files = [proto ?? protoset ?? []].flat();
  const message = withOurTokens(typeof data === 'string' ? messageIn(data) : data, notes);
  if (Array.isArray(message))
    notes.push('For a unary method ghz sends the messages of data in turn: write one, or an operation for each.');
  const fields = { ...withOurTokens(metadata, notes), ...(authority && { host: authority }) };
  const tls = Object.entries(TLS).filter(([name]) => typeof config[name] === 'string');
  return {
    grpc: `${insecure ? 'grpc' : 'grpcs'}://${host}/${call.replace(/\.(?=[^./]+$)/, '/')}`,
    ...protoOf(files, [config['import-paths'] ?? []].flat(), options),
    ...(message !== undefined && { message }),
    ...(Object.keys(fields).length > 0 && { metadata: fields }),
    ...(config.skipTLS && { rejectUnauthorized: false }),
    ...(config['enable-compression'] && { compression: 'gzip' }),
    ...Object.fromEntries(
      tls.map(([name, ours]) => [ours, name === 'cname' ? config[name] : pathInFlow(config[name], options)]),
    ),
  };
}

/** The tokens for what templates of ghz compute. @type {[RegExp, (...found: string[]) => string][]} */
const TEMPLATES = [
  [/^\.RequestNumber$/, () => 'INDEX'],
  [/^(?:\.UUID|newUUID)$/, () => 'uuid'],
  [/^\.Timestamp$/, () => 'isoTimestamp'],
  [/^\.TimestampUnix$/, () => 'timestamp'],
  [/^\.TimestampUnixMilli$/, () => 'timestampMs'],
  // its upper bound is not drawn
  [/^randomInt (\d+) (\d+)$/, (from, to) => `randomInt(${from}, ${Number(to) - 1})`],
  [/^randomString (\d+) (\d+)$/, (_, to) => `randomString(${to})`],
];

/** @type {(value: any, notes: string[]) => any} */
function withOurTokens(value, notes) {
  if (value === undefined) return undefined;
  return mapTexts(value, (text) =>
    text.replace(/\{\{-?\s*(.*?)\s*-?\}\}/g, (whole, source) => {
      for (const [pattern, tokenOf] of TEMPLATES) {
        const [found, ...groups] = pattern.exec(source) ?? [];
        if (found !== undefined) return token(tokenOf(...groups));
      }
      notes.push(`${whole} has no equivalent: it is sent as it is.`);
      return whole;
    }),
  );
}
