/** @import { Supported } from '../import.js' */
/** @import { ShellCommand } from './shell.js' */

/**
 * @typedef {object} CurlRequest what the flags of one curl command say
 * @property {string[]} urls
 * @property {string} [method]
 * @property {string[]} headers lines, as they were given
 * @property {{ kind: 'data' | 'raw' | 'binary' | 'urlencode' | 'json' | 'query', text: string }[]} data
 * @property {{ text: string, isString: boolean }[]} form
 * @property {string[]} cookies
 * @property {string[]} uploads
 * @property {string[]} resolve
 * @property {string[]} connectTo
 * @property {Record<string, any>} properties of each operation
 * @property {Record<string, any>} runOptions
 * @property {Record<string, string>} values of other flags, of which the last one counts: user, referer, range
 * @property {Set<string>} set flags without a value
 * @property {string[]} notes
 * @property {string | undefined} input standard input of the command
 *
 * @typedef {object} CurlFlag
 * @property {string} names `-X, --request`
 * @property {boolean} [hasValue]
 * @property {string | null} becomes its equivalent in a flow, for the docs; null: it is named and left out; empty: it
 *   has no effect on requests
 * @property {(request: CurlRequest, value: string) => void} [apply]
 */

// What a flag does to the request.

/** @type {(key: keyof CurlRequest['values']) => CurlFlag['apply']} */
const keep = (key) => (request, value) => void (request.values[key] = value);
/** @type {(kind: CurlRequest['data'][number]['kind']) => CurlFlag['apply']} */
const data = (kind) => (request, text) => void request.data.push({ kind, text });
/** @type {(name: string) => CurlFlag['apply']} */
const set = (name) => (request) => void request.set.add(name);
/** @type {(properties: Record<string, unknown>) => CurlFlag['apply']} */
const having = (properties) => (request) => void Object.assign(request.properties, properties);
/** @type {(name: string) => CurlFlag['apply']} */
const file = (name) => (request, value) => void (request.properties[name] = { file: value });
/** @type {(name: string) => CurlFlag['apply']} */
const property = (name) => (request, value) => void (request.properties[name] = value);
/** @type {(options: Record<string, unknown>) => CurlFlag['apply']} */
const running = (options) => (request) => void Object.assign(request.runOptions, options);

// Kinds of flags: with and without a value, without an effect on requests, and without an equivalent.

/** @type {(names: string, becomes: string, apply: CurlFlag['apply']) => CurlFlag} */
const valued = (names, becomes, apply) => ({ names, hasValue: true, becomes, apply });
/** @type {(names: string, becomes: string, apply: CurlFlag['apply']) => CurlFlag} */
const plain = (names, becomes, apply) => ({ names, becomes, apply });
/** @type {(names: string) => CurlFlag[]} */
const without = (names) => names.match(/\S+/g)?.map((name) => ({ names: name.replace('|', ', '), becomes: '' })) ?? [];
/** @type {(names: string) => CurlFlag[]} */
const valuedWithout = (names) => without(names).map((flag) => ({ ...flag, hasValue: true }));
/** @type {(names: string) => CurlFlag[]} */
const unknown = (names) => without(names).map((flag) => ({ ...flag, becomes: null }));
/** @type {(names: string) => CurlFlag[]} */
const valuedUnknown = (names) => unknown(names).map((flag) => ({ ...flag, hasValue: true }));

/** The flags of curl. @type {CurlFlag[]} */
const CURL_FLAGS = [
  valued('-X, --request', 'the key of the URL: `post`, `delete`; or `method`', (request, value) => {
    request.method = value;
  }),
  valued('--url', 'a further operation', (request, value) => void request.urls.push(value)),
  valued('-H, --header', '`headers`', (request, value) => void request.headers.push(value)),
  valued('-d, --data', '`json`, `form` or `body`', data('data')),
  valued('--data-ascii', 'the same', data('data')),
  valued('--data-raw', 'the same', data('raw')),
  valued('--data-binary', '`json`, `body`, or `body: { file }`', data('binary')),
  valued('--data-urlencode', '`form`', data('urlencode')),
  valued('--json', '`json`', data('json')),
  valued('--url-query', 'the query of the URL', data('query')),
  valued('-F, --form', '`formData`', (request, text) => void request.form.push({ text, isString: false })),
  valued('--form-string', '`formData`', (request, text) => void request.form.push({ text, isString: true })),
  valued('-T, --upload-file', '`put` with `body: { file }`', (request, value) => void request.uploads.push(value)),
  plain('-G, --get', 'the data in the query of the URL', set('get')),
  plain('-I, --head', '`head`', set('head')),
  valued(
    '-b, --cookie',
    '`cookies`; another file of cookies is named',
    (request, value) => void request.cookies.push(value),
  ),
  valued('-c, --cookie-jar', 'the cookies of an iteration, which `-b` with the same file sends', keep('jar')),
  valued('-u, --user', '`auth: { user, pass }`', keep('user')),
  plain('--basic', '`auth`', set('basic')),
  plain('--digest', '`auth: { sendImmediately: false }`', set('digest')),
  plain('--anyauth', '`auth: { sendImmediately: false }`', set('digest')),
  valued('--oauth2-bearer', '`auth: { bearer }`', keep('bearer')),
  valued('--aws-sigv4', '`aws`', keep('aws')),
  valued('-A, --user-agent', '`headers`', keep('agent')),
  valued('-e, --referer', '`headers`', keep('referer')),
  valued('-r, --range', '`headers`', keep('range')),
  plain(
    '-L, --location',
    '`followRedirect`, and `followAllRedirects` for other methods than GET and HEAD',
    set('follow'),
  ),
  plain('--location-trusted', 'the same; credentials are never sent to another origin', set('follow')),
  valued('--max-redirs', '`maxRedirects`', keep('redirects')),
  plain('--compressed', '`gzip: true`', set('compressed')),
  plain('--tr-encoding', '`headers`', (request) => void request.headers.push('TE: gzip')),
  plain('-k, --insecure', '`rejectUnauthorized: false`', having({ rejectUnauthorized: false })),
  valued('--cacert', '`ca: { file }`', file('ca')),
  valued('-E, --cert', '`cert: { file }`, or `pfx: { file }`', keep('cert')),
  valued('--cert-type', '`cert` or `pfx`', keep('certType')),
  valued('--key', '`key: { file }`', file('key')),
  valued('--pass', '`passphrase`', property('passphrase')),
  valued('--ciphers', '`ciphers`', property('ciphers')),
  ...['1.0', '1.1', '1.2', '1.3'].map((version) =>
    plain(`--tlsv${version}`, '`minVersion`', having({ minVersion: version })),
  ),
  plain('-1, --tlsv1', '`minVersion`', having({ minVersion: '1.0' })),
  valued('--tls-max', '`maxVersion`', property('maxVersion')),
  valued('-x, --proxy', '`proxy`', keep('proxy')),
  valued('-U, --proxy-user', 'the user of `proxy`', keep('proxyUser')),
  plain('-p, --proxytunnel', '`tunnel: true`', having({ tunnel: true })),
  valued('--noproxy', '`runOptions: { noProxy }`', (request, value) => void (request.runOptions.noProxy = value)),
  plain('--proxy-insecure', '`runOptions: { proxyInsecure }`', running({ proxyInsecure: true })),
  valued('--resolve', '`runOptions: { connectTo }`', (request, value) => void request.resolve.push(value)),
  valued('--connect-to', '`runOptions: { connectTo }`', (request, value) => void request.connectTo.push(value)),
  valued('--unix-socket', '`socketPath`', property('socketPath')),
  valued('--interface', '`localAddress`, if it is an address', keep('interface')),
  plain('-4, --ipv4', '`runOptions: { family: 4 }`', running({ family: 4 })),
  plain('-6, --ipv6', '`runOptions: { family: 6 }`', running({ family: 6 })),
  valued('-m, --max-time', '`timeout`', keep('maxTime')),
  valued('--connect-timeout', '`runOptions: { connectTimeout }`', keep('connectTimeout')),
  plain('-g, --globoff', 'URLs with `[1-3]` and `{a,b}` as they are', set('globoff')),
  plain('--http1.1', 'the protocol of bench-rest', undefined),
  plain('--http2', '`http2: true`', having({ http2: true })),
  plain('--http2-prior-knowledge', "`http2: 'prior-knowledge'`", having({ http2: 'prior-knowledge' })),
  // output, and what a load test decides by itself
  ...without(`
    -s|--silent -S|--show-error -v|--verbose -i|--include --show-headers -f|--fail --fail-with-body --fail-early
    -N|--no-buffer -#|--progress-bar --no-progress-meter --styled-output -J|--remote-header-name -O|--remote-name
    --remote-name-all --create-dirs --xattr -q|--disable --trace-time --tcp-nodelay --no-keepalive --alpn
    -j|--junk-session-cookies -Z|--parallel --parallel-immediate --metalink --clobber --compressed-ssh --ca-native
    --tcp-fastopen --npn
  `),
  ...valuedWithout(`
    -o|--output -w|--write-out -D|--dump-header --stderr --trace --trace-ascii --output-dir --keepalive-time
    --parallel-max --create-file-mode --expect100-timeout --trace-config --happy-eyeballs-timeout-ms
  `),
  // without an equivalent
  ...unknown(`
    --http3 --http3-only -0|--http1.0 --http0.9 --raw --path-as-is --ntlm --negotiate --proxy-digest --proxy-ntlm
    --proxy-negotiate --proxy-anyauth --proxy-basic --post301 --post302 --post303 -R|--remote-time --retry-all-errors
    --retry-connrefused --cert-status --ssl-reqd --ssl --ssl-no-revoke --false-start -l|--list-only -a|--append
    -B|--use-ascii --crlf --form-escape --ssl-allow-beast --ignore-content-length -M|--manual -n|--netrc
    --netrc-optional --tftp-no-options --sasl-ir --haproxy-protocol --suppress-connect-headers --disable-eprt
    --disable-epsv --ftp-pasv --mptcp
  `),
  ...valuedUnknown(`
    -K|--config -C|--continue-at -z|--time-cond -y|--speed-time -Y|--speed-limit --limit-rate --rate --retry
    --retry-delay --retry-max-time --max-filesize --request-target --proxy-header --proxy-cacert --proxy-cert
    --proxy-key --preproxy --socks4 --socks4a --socks5 --socks5-hostname --doh-url --dns-servers --dns-interface
    --local-port --pinnedpubkey --crlfile --capath --key-type --engine --curves --tls13-ciphers --sigalgs --alt-svc
    --hsts --netrc-file --proto --proto-default --proto-redir --egd-file --random-file --service-name --delegation
    --krb -Q|--quote -P|--ftp-port -t|--telnet-option --etag-save --etag-compare --abstract-unix-socket --expand-url
    --expand-data --ip-tos --vlan-priority --haproxy-clientip --tlsuser --tlspassword --ech --mail-from --mail-rcpt
    --login-options --hostpubmd5 --pubkey --libcurl --proxy1.0 --proxy-pass --variable
  `),
];

const BY_NAME = new Map(
  CURL_FLAGS.flatMap((flag) => flag.names.split(', ').map((name) => /** @type {const} */ ([name, flag]))),
);
const LONG = [...BY_NAME.keys()].filter((name) => name.startsWith('--'));

/** curl accepts the beginning of a long flag that no other one has. @type {(name: string) => CurlFlag | undefined} */
function flagNamed(name) {
  const known = BY_NAME.get(name);
  if (known || !name.startsWith('--')) return known;
  const fitting = new Set(LONG.filter((one) => one.startsWith(name)).map((one) => BY_NAME.get(one)));
  return fitting.size === 1 ? [...fitting][0] : undefined;
}

/** The rows of the docs. @type {Supported[]} */
export const supported = [
  ...CURL_FLAGS.filter(({ becomes }) => becomes).map(({ names, becomes }) => ({ part: names, becomes })),
  { part: 'flags without an effect on the requests, such as `-s`, `-v` and `-o`', becomes: 'nothing' },
];

/** @type {(input: string | undefined) => CurlRequest} */
function newRequest(input) {
  return {
    urls: [],
    headers: [],
    data: [],
    form: [],
    cookies: [],
    uploads: [],
    resolve: [],
    connectTo: [],
    properties: {},
    runOptions: {},
    values: {},
    set: new Set(),
    notes: [],
    input,
  };
}

/** Flags whose values are not repeated. */
const SECRET = /pass|user|login|header|key/;

/**
 * Reads the words behind `curl` as curl does. Flags without an equivalent are in the notes of their request.
 * @type {(words: string[], command?: Pick<ShellCommand, 'input'>) => CurlRequest[]}
 */
export function readCurlArguments(words, { input } = {}) {
  let request = newRequest(input);
  const all = [request];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === '-:' || word === '--next') {
      request = newRequest(input);
      all.push(request);
    } else if (word === '--') {
      request.urls.push(...words.slice(i + 1));
      break;
    } else if (word.startsWith('--')) i += readLong(word, words[i + 1], request);
    else if (word.startsWith('-') && word !== '-') i += readShort(word, words[i + 1], request);
    else request.urls.push(word);
  }
  return all;
}

/** @type {(word: string, next: string | undefined, request: CurlRequest) => number} 1: `next` is its value, and read */
function readLong(word, next, request) {
  const flag = flagNamed(word);
  const positive = !flag && word.startsWith('--no-') ? flagNamed(`--${word.slice('--no-'.length)}`) : undefined;
  if (positive && !positive.hasValue) return 0;
  return apply(flag, word, next, request);
}

/** Reads a cluster, such as -sSLd and its value. @type {typeof readLong} */
function readShort(word, next, request) {
  for (let i = 1; i < word.length; i++) {
    const name = `-${word[i]}`;
    const flag = flagNamed(name);
    if (!flag?.hasValue) {
      apply(flag, name, undefined, request);
      continue;
    }
    const rest = word.slice(i + 1);
    if (rest === '') return apply(flag, name, next, request);
    apply(flag, name, rest, request);
    return 0;
  }
  return 0;
}

/**
 * @type {(flag: ReturnType<typeof flagNamed>, name: string, value: string | undefined, request: CurlRequest) => number}
 */
function apply(flag, name, value, request) {
  if (!flag) {
    request.notes.push(`${name} is not understood`);
    return 0;
  }
  if (flag.hasValue && value === undefined) {
    request.notes.push(`${name} has no value`);
    return 0;
  }
  const shown = flag.hasValue && !SECRET.test(name) ? ` ${value}` : '';
  if (flag.becomes === null) request.notes.push(`${name}${shown} has no equivalent`);
  flag.apply?.(request, value ?? '');
  return flag.hasValue ? 1 : 0;
}
