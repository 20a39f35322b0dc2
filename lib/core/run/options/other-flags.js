/**
 * The flags of other tools, for which the command says what to write instead. Run options of these names, such as
 * `count` and `name`, are not explained: a program may keep values of its own among its run options.
 *
 * @import { OtherName } from './types.js'
 * @type {OtherName[]}
 */
const FLAGS = [
  // A flag of another command of bench-rest.
  {
    names: 'paired',
    hint: 'ab runs both sides in turn and tests the runs as pairs; it is a flag of compare, for saved results',
  },
  // Requests.
  { names: 'request', tools: 'curl', flag: '-m, --method' },
  {
    names: 'data-raw data-binary data-ascii data-urlencode',
    tools: 'curl',
    flag: '-b, --body',
    hint: "with -T form for the Content-Type that curl sends; -b @file is a file, and @@ a text that begins with '@'",
  },
  { names: 'form-string', tools: 'curl', flag: '-F, --form' },
  { names: 'body-file', tools: 'bombardier', hint: 'write -b @file' },
  { names: 'post-file', tools: 'loadtest', hint: 'write -m POST -b @file' },
  { names: 'put-file', tools: 'loadtest', hint: 'write -m PUT -b @file' },
  { names: 'patch-file', tools: 'loadtest', hint: 'write -m PATCH -b @file' },
  { names: 'patch-body', tools: 'loadtest', hint: "write -m PATCH -b 'text'" },
  { names: 'upload-file', tools: 'curl', hint: 'write -m PUT -b @file' },
  { names: 'payload-file', tools: 'fortio', hint: 'write -b @file' },
  { names: 'payload-size', tools: 'fortio', hint: 'write -b @file, with a file of that size' },
  { names: 'G get', tools: 'curl', hint: 'write the query into the URL, or qs: { q: 1 } in the operation' },
  { names: 'head', tools: 'curl', hint: 'write -m HEAD' },
  { names: 'include', tools: 'curl', hint: 'write --debug, which prints the fields of responses' },
  {
    names: 'no-proxy',
    hint: "write --noproxy <hosts> for hosts that are reached without a proxy, or --proxy '' for none at all",
  },
  { names: 'referer', tools: 'curl', hint: "write -H 'Referer: URL'" },
  { names: 'target', tools: 'Artillery', option: 'baseUrl', hint: 'or the URL alone' },
  { names: 'chunked', tools: 'vegeta', hint: 'a body whose length is not known, such as a stream, is sent in chunks' },
  { names: 'compressed compression', tools: 'curl, fortio', hint: 'write gzip: true in the operation' },
  { names: 'path-as-is', tools: 'curl', hint: 'URLs are read as browsers read them: /a/../b is /b' },
  {
    names: 'proxy-header',
    tools: 'oha, vegeta',
    hint: 'write the user of the proxy into its URL: --proxy http://user:password@host',
  },
  { names: 'proxy-user', tools: 'curl', hint: 'write --proxy http://user:password@host:port' },
  { names: 'http-proxy', tools: 'fortio', option: 'proxy' },
  { names: 'max-redirs', tools: 'curl', hint: 'write maxRedirects: 3 in the operation' },
  {
    names: 'location location-trusted',
    tools: 'curl',
    hint: 'leave it out: redirects of GET and HEAD are followed; followAllRedirects: true in the operation follows all',
  },
  // Credentials.
  {
    names: 'bearer oauth2-bearer',
    tools: 'curl',
    hint: "write -H 'Authorization: Bearer token', or auth: { bearer: 'token' } in the operation",
  },
  { names: 'basic', tools: 'curl', hint: 'leave it out: -u is basic authentication' },
  {
    names: 'digest anyauth',
    tools: 'curl',
    hint: "write auth: { user: 'ann', pass: 'secret', sendImmediately: false } in the operation",
  },
  { names: 'ntlm negotiate', tools: 'curl', hint: 'basic, digest and bearer authentication are supported, and aws' },
  {
    names: 'aws-sigv4 aws-session',
    tools: 'curl, oha',
    hint: 'write aws: { accessKeyId, secretAccessKey, region, service } in the operation',
  },
  { names: 'netrc', tools: 'curl', hint: 'write -u user:password, or set BENCH_REST_USER and BENCH_REST_PASSWORD' },
  { names: 'cookie-jar', tools: 'curl', hint: 'leave it out: each iteration keeps the cookies that it receives' },
  // Connections.
  { names: '4', tools: 'curl', flag: '--ipv4' },
  { names: '6', tools: 'curl', flag: '--ipv6' },
  {
    names: 'resolve',
    tools: 'curl, fortio',
    option: 'connectTo',
    hint: 'such as --connect-to example.com:443:10.0.0.7:443',
  },
  { names: 'resolve-ip-type', tools: 'fortio', flag: '--ipv4 or --ipv6' },
  { names: 'resolvers', tools: 'vegeta', option: 'resolver' },
  { names: 'dns-servers', tools: 'curl', option: 'resolver' },
  { names: 'dns', tools: 'k6', hint: 'write --no-dns-cache for new addresses, or --ipv4 or --ipv6' },
  {
    names: 'dns-ttl no-reresolve no-pre-lookup',
    tools: 'fortio, oha, vegeta',
    hint: 'write --no-dns-cache for new addresses; names are resolved once per run',
  },
  {
    names: 'interface laddr local-ips',
    tools: 'curl, k6, vegeta',
    hint: "write localAddress: '10.0.0.5' in the operation",
  },
  {
    names: 'blacklist-ip block-hostnames',
    tools: 'k6',
    hint: 'leave it out: requests go to the addresses of the flow, and to those of redirects',
  },
  { names: 'max-time', tools: 'curl', option: 'timeout', hint: 'for the run it is -t, --duration' },
  {
    names: 'connect-timeout',
    tools: 'curl, oha',
    hint: "write connectTimeout: '5s' in runOptions of the flow, or in the configuration file",
  },
  {
    names: 'retry retry-delay',
    tools: 'curl',
    hint: 'leave it out: a request that fails is an error, and the next iteration goes on',
  },
  {
    names: 'k',
    tools: 'ab, bombardier, curl, fortio, loadtest',
    hint: 'write --insecure (bombardier, curl, fortio), or leave it out: connections are kept alive (ab, loadtest)',
  },
  {
    names: 'S',
    tools: 'ab, autocannon, curl',
    hint: 'write --socket-path (autocannon), or leave it out: --debug prints every exchange of one iteration (curl)',
  },
  {
    names: 'E',
    tools: 'ab, autocannon, curl',
    hint: "write --expect-body 'text' (autocannon), or --cert and --key (ab, curl)",
  },
  { names: 'keepalive-time session-tickets', tools: 'curl, vegeta', hint: 'leave it out' },
  { names: 'disable-keep-alives disable-keepalive', tools: 'bombardier, hey, oha', flag: '--no-keep-alive' },
  { names: 'no-connection-reuse', tools: 'k6', flag: '--no-keep-alive' },
  {
    names: 'no-vu-connection-reuse',
    tools: 'k6',
    option: 'requestsPerConnection',
    hint: 'the requests of an iteration',
  },
  { names: 'connection-reuse', tools: 'fortio', option: 'requestsPerConnection' },
  { names: 'capath', tools: 'curl', option: 'ca' },
  { names: 'mtls', tools: 'fortio', hint: 'write --cert, --key and --ca' },
  { names: 'https-insecure', tools: 'fortio', option: 'insecure' },
  { names: 'tlsv1.2 tlsv1.3', tools: 'curl', option: 'tlsMin', hint: 'such as --tls-min 1.2' },
  {
    names: 'http1 http1.0 http1.1 http3 proxy-http2 proxy-http-version stdclient fasthttp',
    tools: 'bombardier, curl, fortio, oha',
    hint: 'leave it out: requests are sent with HTTP/1.1',
  },
  { names: 'http2-prior-knowledge h2c', tools: 'curl, vegeta', hint: 'write --http2 prior-knowledge' },
  { names: 'stream', tools: 'bombardier', hint: 'leave it out: a body from a file is read once' },
  { names: 'httpbufferkb limit-rate vsock-addr', tools: 'curl, fortio, oha', hint: 'leave it out' },
  // Load.
  {
    names: 'count num',
    tools: 'Artillery',
    hint: 'write -c for virtual users (--count), and -n for iterations (--num)',
  },
  { names: 'solo', tools: 'Artillery', hint: 'write -c 1 -n 1' },
  { names: 'max-connections', tools: 'vegeta', option: 'limit' },
  { names: 'parallel parallel-max', tools: 'curl', option: 'limit' },
  {
    names: 'batch batch-per-host',
    tools: 'k6',
    hint: 'leave it out: the operations of an iteration run one after the other',
  },
  { names: 'execution-segment execution-segment-sequence', tools: 'k6', option: 'shard', hint: 'such as 1/3' },
  { names: 'min-iteration-duration', tools: 'k6', hint: 'write --rate-per-user, or --pause' },
  { names: 'paused linger', tools: 'k6', hint: 'leave it out; --start-at starts at a time' },
  { names: 'jitter', tools: 'fortio', hint: 'write --arrival poisson' },
  {
    names: 'uniform sequential-warmup nocatchup',
    tools: 'fortio',
    hint: 'write --ramp-up to start gradually; -r spaces iterations evenly',
  },
  { names: 'lazy', tools: 'vegeta', hint: 'leave it out: a flow from standard input is read before the run' },
  { names: 'gomaxprocs', tools: 'fortio', option: 'workers' },
  {
    names: 'wait-ongoing-requests-after-deadline',
    tools: 'oha',
    hint: 'leave it out: running iterations finish; --graceful-stop limits that',
  },
  { names: 'setup-timeout', tools: 'k6', option: 'timeout', hint: 'for every operation' },
  { names: 'teardown-timeout', tools: 'k6', hint: "write teardownTimeout: '10s' in runOptions of the flow" },
  { names: 'no-setup no-teardown', tools: 'k6', hint: 'leave before and after out of the flow' },
  {
    names: 'throw allow-initial-errors',
    tools: 'fortio, k6',
    hint: 'leave it out: every failed request is an error of its iteration',
  },
  { names: 'abort-on', tools: 'fortio', option: 'bailout', hint: 'after errors' },
  { names: 'fail', tools: 'curl', hint: 'leave it out: a status from 400 on is an error' },
  // Flows.
  {
    names: 'urls-from-file',
    tools: 'oha',
    hint: 'write the URLs as arguments: each iteration requests one of them, in turn; or { oneOf: [URL, …] }',
  },
  {
    names: 'max-repeat dump-urls',
    tools: 'oha',
    hint: 'a function in the flow computes URLs; --debug prints the requests of one iteration',
  },
  {
    names: 'Z',
    tools: 'ab, oha',
    hint: 'write --ciphers (ab), or several bodies in the flow: { oneOf: [{ post: URL, body }, …] } (oha)',
  },
  {
    names: 'variables environment overrides',
    tools: 'Artillery',
    option: 'args',
    hint: 'for #{args.name} in the flow',
  },
  { names: 'dotenv', tools: 'Artillery', option: 'envFiles' },
  { names: 'include-system-env-vars secret-source', tools: 'k6', hint: 'a flow reads the environment as #{env.NAME}' },
  { names: 'scenario-name', tools: 'Artillery', hint: 'leave the other scenarios out of the flow' },
  { names: 'K', tools: 'curl', hint: 'write --config <file>' },
  {
    names: 'type compatibility-mode',
    tools: 'k6',
    hint: 'leave it out: a flow is JavaScript, JSON or YAML by its extension',
  },
  // Results.
  { names: 'name', tools: 'Artillery, vegeta', option: 'title' },
  {
    names: 'tag tags note labels runid system-tags',
    tools: 'Artillery, fortio, k6',
    hint: 'write --label or --title for the run, and name in an operation',
  },
  { names: 'record', tools: 'Artillery', hint: 'write -o result.json' },
  { names: 'latencies', tools: 'bombardier', flag: '--latency' },
  { names: 'u-latency batch-latency', tools: 'wrk2', flag: '--latency' },
  { names: 'print', tools: 'bombardier', hint: 'leave it out; --quiet shortens the report, --full completes it' },
  { names: 'no-print no-summary', tools: 'bombardier, k6', flag: '--quiet' },
  { names: 'silent', tools: 'curl', flag: '--quiet' },
  {
    names: 'show-error N no-buffer write-out',
    tools: 'curl',
    hint: 'leave it out; --debug prints every exchange of one iteration',
  },
  { names: 'output-format summary-mode', tools: 'k6, oha', flag: '--format' },
  { names: 'summary-trend-stats', tools: 'k6', option: 'percentiles', hint: 'one for each' },
  {
    names: 'summary-time-unit time-unit',
    tools: 'k6, oha',
    hint: 'leave it out: the report chooses the unit, results are in ms',
  },
  { names: 'no-thresholds', tools: 'k6', hint: 'leave --threshold out' },
  {
    names: 'http-debug trace trace-ascii',
    tools: 'curl, k6',
    flag: '--debug',
    hint: 'which prints every exchange of one iteration',
  },
  {
    names: 'discard-response-bodies max-body remote-name',
    tools: 'curl, k6, vegeta',
    hint: 'leave it out: bodies are kept only for hooks and checks that read them',
  },
  {
    names: 'traces-output prometheus-addr db-url data-dir',
    tools: 'fortio, k6, oha, vegeta',
    hint: 'write -o result.json, or --log requests.csv for each request',
  },
  { names: 'address', tools: 'k6', flag: '--dashboard' },
  {
    names: 'console-output log-output log-format loglevel log-errors',
    tools: 'fortio, k6',
    hint: 'write 2>file: messages and what a flow prints are on stderr',
  },
  { names: 'no-usage-report', tools: 'k6', hint: 'leave it out: nothing is reported' },
  {
    names: 'profiling-enabled',
    tools: 'k6',
    hint: 'write node --cpu-prof before the command; --profile is of the service',
  },
  { names: 'disable-color', tools: 'oha', hint: 'write --color never' },
  { names: 'fps', tools: 'oha', option: 'progress', hint: 'in ms between updates' },
  {
    names: 'stats-success-breakdown',
    tools: 'oha',
    hint: 'leave it out: main.completed of the JSON result has the times of completed iterations alone',
  },
  { names: 'offset', tools: 'fortio', hint: 'leave it out: the histogram has three digits at every time' },
  { names: 'y', tools: 'ab', hint: 'write -o page.html for a page' },
];

/** @type {OtherName[]} */
export const OTHER_FLAGS = FLAGS.map((row) => ({ ...row, only: 'flag' }));
