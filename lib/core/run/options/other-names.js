import { OTHER_FLAGS } from './other-flags.js';

/** @import { OtherName } from './types.js' */

/** Beginning of a hint. */
const FLOW = 'the flow describes the request, in a file or with -e';

/** The hint for a flag that is a header field here. @type {(name: string, value: string) => string} */
const header = (name, value) => `write -H '${name}: ${value}', or headers: { '${name}': '${value}' }`;

/** @type {OtherName[]} */
const LOAD = [
  { names: 'vus', tools: 'k6', option: 'limit' },
  { names: 'max-vus pre-allocated-vus', tools: 'k6', option: 'limit' },
  { names: 'max-vusers', tools: 'Artillery', option: 'limit' },
  { names: 'max-workers', tools: 'vegeta', option: 'limit' },
  { names: 'concurrent users', hint: 'virtual users are limit, or -c', only: 'option' },
  { names: 'preallocate', hint: 'it is prealloc, or -a' },
  { names: 'username', hint: 'it is user, or -u' },
  { names: 'pass', hint: 'it is password, or -p', only: 'option' },
  { names: 'amount', tools: 'autocannon', option: 'iterations' },
  {
    names: 'requests',
    tools: 'autocannon, bombardier',
    option: 'iterations',
    hint: 'and a list of requests is main of a flow',
  },
  { names: 'max-seconds', tools: 'loadtest', option: 'duration', hint: 'with a unit, such as 20s' },
  { names: 'z', tools: 'ab, hey, oha', hint: 'write -t, --duration (hey, oha), or -o page.html (ab)' },
  { names: 'threads', tools: 'wrk', option: 'workers' },
  { names: 'cores', tools: 'loadtest', option: 'workers' },
  { names: 'cpus', tools: 'hey, vegeta', option: 'workers' },
  { names: 'rps', tools: 'k6, loadtest', option: 'rate' },
  { names: 'requests-per-second', tools: 'loadtest', option: 'rate' },
  { names: 'overall-rate', tools: 'autocannon', option: 'rate' },
  { names: 'arrival-rate', tools: 'Artillery', option: 'rate' },
  { names: 'qps', tools: 'fortio', option: 'rate' },
  {
    names: 'q',
    tools: 'ab, bombardier, hey, k6, oha',
    hint: 'write -r, --rate, --rate-per-user for one virtual user (hey), or --quiet (ab, bombardier, k6)',
  },
  { names: 'burst-delay burst-rate', tools: 'oha', hint: "write --stage for each step of the rate, such as '10s:100'" },
  {
    names: 'R',
    tools: 'autocannon, loadtest, wrk2',
    hint: 'write -r, --rate, or a hook that changes requests (loadtest)',
  },
  {
    names: 'f',
    tools: 'ab, autocannon, bombardier, curl',
    hint: 'write --forever (autocannon), -b @file (bombardier), --tls-min and --tls-max (ab), or leave it out: a status from 400 on is an error (curl)',
  },
  { names: 'M max-connection-requests', tools: 'autocannon', option: 'maxRequestsPerUser' },
  { names: 'max-overall-requests', tools: 'autocannon', option: 'maxRequests' },
  { names: 'connection-rate', tools: 'autocannon', option: 'ratePerUser' },
  { names: 'reconnect-rate', tools: 'autocannon', option: 'requestsPerConnection' },
  {
    names: 'O',
    tools: 'autocannon, curl',
    hint: 'write --max-requests (autocannon), or leave it out: bodies are not kept (curl)',
  },
];

/** @type {OtherName[]} */
const REQUESTS = [
  {
    names: 'content-type',
    tools: 'autocannon, loadtest',
    only: 'option',
    property: "headers: { 'Content-Type': 'text/plain' }, which json and form set themselves",
    hint: "it is a header of the operation: { post: '/', body: 'hello', headers: { 'Content-Type': 'text/plain' } }",
  },
  {
    names: 'method body form',
    tools: 'autocannon, loadtest',
    only: 'option',
    hint: "it is a property of the operation: { method: 'POST', url: '/', json: { hello: 'world' } }",
  },
  { names: 'json-body json-data post-json', hint: `write -b '{"a":1}' -T json, or json: { a: 1 } in the operation` },
  {
    names: 'payload',
    tools: 'Artillery, fortio, vegeta',
    flag: '-b, --body',
    hint: 'or body in the operation; a file of rows is data in the flow (Artillery)',
  },
  { names: 'file', tools: 'loadtest', hint: 'write -b @file, or body: { file } in the operation' },
  {
    names: 'P',
    tools: 'ab, loadtest',
    hint: "write -b 'text' (loadtest), or --proxy http://user:password@host:port (ab)",
  },
  { names: 'X', tools: 'ab, curl, fortio', hint: 'write -x, --proxy (ab), or -m, --method (curl, fortio)' },
  {
    names: 'U',
    tools: 'curl, hey, wrk2',
    hint: "write -H 'User-Agent: name' (hey), --proxy http://user:password@host (curl), or --latency (wrk2)",
  },
  {
    names: 'rand-regex-url',
    tools: 'oha',
    hint: 'a function or a token in the URL computes it: { get: ({ index }) => … }',
  },
  {
    names: 'A',
    tools: 'ab, curl, hey, loadtest, oha',
    hint: "write -u and -p (ab), -H 'User-Agent: name' (curl), -H 'Accept: …' (hey, oha), or -m PATCH -b 'text' (loadtest)",
  },
  {
    names: 'D',
    tools: 'autocannon, hey, oha',
    hint: 'write --requests-per-connection (autocannon), or -b @file (hey, oha)',
  },
  {
    names: 'i',
    tools: 'ab, autocannon, curl, k6',
    hint: 'write -m HEAD (ab), -b @file (autocannon), -n (k6), or --debug (curl), which prints every exchange of one iteration',
  },
  {
    names: 'input',
    tools: 'autocannon',
    property: "body: { file: 'body.json' }",
    hint: 'write -b @file, or body: { file } in the flow',
  },
  { names: 'user-agent', tools: 'curl, k6', hint: header('User-Agent', 'name') },
  { names: 'host', tools: 'hey, oha', hint: header('Host', 'example.com') },
  {
    names: 'verify-body content-inspector',
    tools: 'autocannon, loadtest',
    property: "expect: { body: 'text' }, or an after-hook that throws",
    hint: "write --expect-body 'text', expect: { body: 'text' } in the operation, or an after-hook that throws",
  },
  {
    names: 'expect-body',
    tools: 'autocannon',
    only: 'option',
    property: "expect: { body: 'text' }",
    hint: "it is a property of the operation: { get: '/', expect: { body: 'text' } }",
  },
  {
    names: 's',
    tools: 'ab, autocannon, bombardier, curl, fortio, k6, loadtest, wrk',
    hint: 'write --timeout (ab), --stage (k6), --servername (autocannon), --tls-min (loadtest), --quiet (curl), -w (fortio), a flow with hooks (wrk), or leave it out (bombardier)',
  },
  { names: 'script', tools: 'wrk', hint: 'a flow is a module with beforeHooks and afterHooks' },
  {
    names: 'request-generator setup-request',
    tools: 'autocannon, loadtest',
    property: 'json: ({ index }) => …, or a before-hook',
    hint: 'write functions in the flow, such as { post: URL, json: ({ index }) => … }, or a before-hook',
  },
  { names: 'setup-client', tools: 'autocannon', hint: 'all.vuCtx of hooks and functions belongs to a virtual user' },
  { names: 'initial-context', tools: 'autocannon', hint: 'write iterCtx: { … } in the flow' },
  {
    names: 'index-param-callback',
    tools: 'loadtest',
    hint: 'write a token in the flow: tokens: { id: ({ index }) => … }, used as #{id}',
  },
  {
    names: 'on-response status-callback',
    tools: 'autocannon, loadtest',
    property: 'afterHooks: [(all) => …]',
    hint: "run.on('response') in a program, or an after-hook, gets every response",
  },
  {
    names: 'I',
    tools: 'ab, autocannon, curl',
    hint: 'write #{INDEX} in a URL, header or body, #{uuid} with --seed random differs in every run (autocannon), -m HEAD (curl), or leave it out: TLS sends the name of the host (ab)',
  },
  {
    names: 'id-replacement index index-param',
    tools: 'autocannon, loadtest',
    hint: '#{INDEX} in a URL, header or body is the number of the iteration, from 0 in every run; #{uuid} with --seed random differs in every run',
  },
  { names: 'root-certs', tools: 'vegeta', option: 'ca' },
  { names: 'tls-options', tools: 'autocannon', hint: 'ca, cert, key, servername, tlsMin and the like are options' },
  {
    names: 'secure-protocol',
    tools: 'loadtest',
    hint: 'write --tls-min 1.2 and --tls-max 1.2, or tlsMin and tlsMax',
  },
  {
    names: 'reject-unauthorized strict-ssl',
    hint: 'certificates are verified unless insecure: true, or --insecure, is set',
  },
  {
    names: 'agent-options',
    only: 'option',
    hint: 'its TLS options, such as ca, are run options, and insecure: true is its rejectUnauthorized: false',
  },
  { names: 'insecure-skip-tls-verify', tools: 'k6', option: 'insecure' },
  {
    names: 'max-redirects disable-redirects redirects redirect',
    tools: 'hey, k6, oha, vegeta',
    hint: `${FLOW}: { get: URL, followRedirect: false }, or maxRedirects`,
  },
  { names: 'disable-compression', tools: 'hey, oha', hint: 'compression is off unless an operation has gzip: true' },
  {
    names: 'har',
    tools: 'autocannon',
    hint: 'pass the recording as the flow: bench-rest site.har, with --base-url for another server',
  },
  {
    names: 'targets',
    tools: 'vegeta',
    hint: 'pass the targets as the flow: bench-rest targets.txt, or - for standard input',
  },
  { names: 'env', tools: 'k6', option: 'args' },
  {
    names: 'config-file',
    tools: 'k6',
    hint: 'write --config <file>; .bench-restrc.yaml, .json and .js are found by themselves, in this folder and above it in the project',
  },
  {
    names: 'agent-keep-alive agent',
    tools: 'loadtest',
    hint: 'connections are always kept alive; leave it out',
  },
  {
    names: 'h2 http-version',
    tools: 'fortio, hey, oha',
    hint: 'write --http2, or leave it out for HTTP/1.1',
  },
  {
    names: 'url',
    tools: 'autocannon, curl, loadtest',
    hint: "the URL is the flow: benchrest('http://localhost:8000/', { limit: 10, duration: '10s' })",
  },
  { names: 'tcp', tools: 'loadtest', hint: 'the default HTTP client uses plain sockets already; leave it out' },
  { names: 'on-port', tools: 'autocannon', option: 'start', hint: 'or -- node app.js' },
];

/** @type {OtherName[]} */
const RESULTS = [
  {
    names: 'B',
    tools: 'ab, autocannon, wrk2',
    hint: 'write --bailout (autocannon), --latency (wrk2), or localAddress in the operation (ab)',
  },
  { names: 'recover', tools: 'loadtest', hint: 'errors never end a run, unless --bailout is set; leave it out' },
  { names: 'render-status-codes', tools: 'autocannon', hint: 'statuses are always in the report; leave it out' },
  {
    names: 'exclude-error-stats',
    tools: 'autocannon',
    hint: 'main.completed of the JSON result has the times of completed iterations alone',
  },
  {
    names: 'ignore-coordinated-omission latency-correction',
    tools: 'autocannon, oha',
    hint: 'response time and service time are both measured; leave it out',
  },
  { names: 'sample-int', tools: 'autocannon', option: 'seriesInterval' },
  {
    names: 'L',
    tools: 'autocannon, curl, fortio, wrk2',
    hint: 'write --latency (wrk2), --series-interval 500ms (autocannon), or leave it out: redirects of GET and HEAD are followed (curl, fortio)',
  },
  { names: 'skip-aggregate-result', tools: 'autocannon', hint: 'bench-rest merge adds results up' },
  { names: 'no-progress', tools: 'autocannon', option: 'progress', hint: '0 for none' },
  { names: 'j', tools: 'autocannon, oha', flag: '--json' },
  {
    names: 'l',
    tools: 'ab, autocannon, bombardier, k6',
    hint: 'write --latency (autocannon, bombardier), or leave it out: responses may differ in length (ab), and the command ends with the run (k6)',
  },
  {
    names: 'g',
    tools: 'ab',
    hint: 'write -o result.csv for the figures, --log requests.csv for each request',
  },
  {
    names: 'delay error percent',
    tools: 'loadtest',
    hint: 'it is an option of the embedded target: --serve-delay, --serve-error and --serve-percent, or bench-rest serve',
  },
  {
    names: 'v',
    tools: 'ab, autocannon, curl, k6, wrk',
    hint: 'write -V, --version (autocannon, wrk), or --debug (ab, curl, k6)',
  },
  {
    names: 'verbose',
    tools: 'autocannon, curl, k6',
    hint: 'the report is complete; --debug prints every exchange of one iteration',
  },
  { names: 'debug', tools: 'autocannon', only: 'option', hint: 'trace: (exchange) => … gets every exchange' },
  { names: 'out summary-export', tools: 'k6', hint: 'write -o result.json' },
];

/** The names that users of other load generators write; read only for names that are unknown here. */
export const OTHER_NAMES = [...LOAD, ...REQUESTS, ...RESULTS, ...OTHER_FLAGS];

/** Names among these that programs have for something else: words, and options of the request library. */
export const WORDS = (
  'agent agent-options body config config-file content-type debug delay env error file form host index input method ' +
  'out payload percent reject-unauthorized script strict-ssl targets url user-agent verbose'
).split(' ');
