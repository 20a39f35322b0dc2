// @ts-nocheck: scripts/addons.js writes this module of what add-ons offer, by npm run generate
const { createRequire } = process.getBuiltinModule('node:module');
const requireHere = createRequire(import.meta.url);
const isFile = /\/lib\/addons(-of-command)?\.js$/.test(import.meta.url);
const addon_default = {
  name: 'agents',
  about: 'runs on several machines, with a queue between them',
  isExperimental: true,
  needs: ['bounds', 'export', 'log', 'merge', 'processes', 'saved'],
  options: [
    {
      group: 'Agents',
      load: () =>
        (isFile ? requireHere('./addons/agents/options/agents.js') : require('./addons/agents/options/agents.js'))
          .AGENTS,
    },
  ],
  sections: [
    {
      name: 'agents',
      suits: ({ agents }) => agents !== void 0,
      text: { before: 'section', isFailure: true, isQuiet: true, isLong: true },
      markdown: { before: 'figures' },
      page: { after: 'checks', heading: 'Machines' },
      load: () => requireHere('./addons/agents/report/agents.js'),
    },
  ],
  reasons: [
    {
      reason: 'agents',
      isOf: ({ agents }) => agents !== void 0 && agents.lost > agents.maxLost,
      explain: (result) => requireHere('./addons/agents/report/reasons.js').explain(result),
    },
  ],
  endReasons: [
    {
      name: 'agent',
      about: 'an agent was stopped',
      message({ loadGenerators = [] }) {
        const stopped = loadGenerators.find(({ stoppedBy }) => stoppedBy !== void 0);
        const who = stopped ? `agent ${stopped.name} was stopped (${stopped.stoppedBy})` : 'an agent was stopped';
        return `stopped, because ${who}`;
      },
      exit: 'agents',
    },
    {
      name: 'queue',
      about: 'agents could not reach the queue',
      message: 'stopped, because agents could not reach the queue',
      exit: 'agents',
    },
    {
      name: 'coordinator',
      about: 'the command that leads the agents did not respond, or could not reach the queue',
      message: 'stopped, because this command did not respond, or could not reach the queue',
      exit: 'agents',
    },
  ],
  resultKeys: [{ name: 'agents', after: 'loadGenerators' }],
  errors: [
    {
      codes: {
        E_NOT_SENT: {
          message: '{problems}',
          exit: 'usage',
          headline: 'the run cannot be sent to agents; nothing was sent',
        },
        E_FLOW_TOO_LARGE: {
          message:
            'the flow has {size} bytes with its files, and at most {limit} are sent to agents; the largest is {largest}',
          cure: 'use smaller files, or several machines without agents: --shard',
          exit: 'usage',
        },
        E_BUNDLE: { message: '{path}: {reason}', cure: '{cure}', exit: 'flow' },
        E_PACKET: {
          message: 'the flow from the queue is malformed: {reason}',
          cure: 'are the command and the agent of the same version?',
          exit: 'usage',
        },
        E_MESSAGE: { message: 'the {what} from the queue {reason}', cure: '{cure}', exit: 'agents' },
        E_QUEUE: { message: 'the queue at {place} {reason}', cure: '{cure}', exit: 'agents' },
        E_AGENTS_MISSING: {
          message: '{present} of {needed} agents of the pool {pool} are ready at {place}{others}',
          cure: '{cure}',
          exit: 'agents',
        },
        E_POOL_BUSY: {
          message: 'the pool {pool} at {place} is used by another run, of {owner}',
          cure: 'wait for its end, raise --agents-timeout, or use another --agents-pool',
          exit: 'agents',
        },
        E_AGENT_LOST: {
          message: 'agent {name} was lost before the start: {reason}',
          cure: 'look at its output; nothing was measured',
          exit: 'agents',
        },
        E_AGENT_REFUSED: {
          message: 'agent {name} cannot run the flow: {reason}',
          cure: 'look at that machine; nothing was measured',
          exit: 'agents',
        },
      },
    },
  ],
};

const addon_default2 = {
  name: 'aws',
  about: 'signatures of requests for AWS',
  signatures: [
    { load: () => (isFile ? requireHere('./addons/aws/property.js') : require('./addons/aws/property.js')).AWS },
  ],
};

const addon_default3 = {
  name: 'back-off',
  about: 'requests that wait as their responses ask, and are sent again',
  isExperimental: true,
  options: [
    {
      group: 'Requests',
      after: 'timeout',
      load: () =>
        (isFile ? requireHere('./addons/back-off/policy.js') : require('./addons/back-off/policy.js')).OPTIONS,
    },
  ],
  retries: [
    {
      load: () => (isFile ? requireHere('./addons/back-off/policy.js') : require('./addons/back-off/policy.js')).RETRY,
    },
  ],
  middleware: [
    {
      load: () =>
        (isFile ? requireHere('./addons/back-off/middleware.js') : require('./addons/back-off/middleware.js')).default,
    },
  ],
  errorHints: [{ of: (...given) => requireHere('./addons/back-off/report.js').hintOf(...given) }],
  sections: [
    {
      name: 'back-off',
      suits: ({ requests: { throttled = 0, waitsCut = 0, exhausted = 0 } }) => throttled + waitsCut + exhausted > 0,
      text: { before: 'latency', isFailure: true },
      markdown: { before: 'traces' },
      page: { after: 'addresses', heading: 'Back-off' },
      load: () => requireHere('./addons/back-off/report.js'),
    },
  ],
};

const addon_default4 = {
  name: 'bar',
  about: 'a progress bar during a run',
  displays: [
    {
      name: 'bar',
      about: 'a progress bar, for terminals',
      suits: ({ stderr, env }) => Boolean(stderr.isTTY) && env.TERM !== 'dumb',
      // a larger display may suit, too
      rank: 1,
      load: () => import('./addons/bar/index.js'),
    },
  ],
};

const addon_default5 = {
  name: 'bounds',
  about: 'what a run that others ask for may use at most: for other add-ons',
  endReasons: [
    {
      name: 'limit',
      about: 'a limit of requests, bytes or time, which bench-rest mcp and agents set',
      message: 'stopped at the limit of requests, bytes or time of a run here',
      isLimit: true,
    },
  ],
  bounds: [{ load: () => import('./addons/bounds/refuse-beyond.js') }],
};

const loadSteps = () => requireHere('./addons/calls/steps.js');
const CALL = {
  name: 'call',
  about: 'calls of any client, measured as requests are',
  key: 'measure',
  urlKey: 'measure',
  noun: { one: 'a measured call', many: 'measured calls' },
  example: "measure: 'insert'",
  properties: {
    measure: {
      type: 'string',
      check: (v) => typeof v === 'string',
      expected: "a name such as 'insert'",
      refuse: (v) => (typeof v === 'string' ? loadSteps().refuseName(v) : []),
      schema: null,
      about: 'name of a call that run makes with any client: it is measured as a request is',
    },
    run: {
      type: '(scope: CallScope) => unknown',
      check: (v) => typeof v === 'function',
      expected: 'a function such as async ({ vuCtx, signal }) => …',
      // Hooks of flows for 1.2.4 may read one of the user's own.
      isOwn: (_, { measure }) => measure === void 0,
      remark: 'is for measured calls: write measure beside it',
      schema: null,
      about:
        'function that makes the call of measure; it may be async, and gets the state of the iteration and a signal',
    },
  },
  mutable: [],
  computed: {},
  keepsEmpty: true,
  refusals: {},
  refuse: (operation) => loadSteps().refuseOperation(operation),
  // The name may be anything until the flow is checked.
  nameOf: ({ measure }) => (typeof measure === 'string' ? measure : ''),
  isCode: true,
  fromUrl(url) {
    throw new Error(`a measured call has no URL: ${url}`);
  },
  compile: (compiler) => loadSteps().callSteps(compiler),
  loadClient: () => import('./addons/calls/client.js'),
};
const addon_default6 = {
  name: 'calls',
  about: 'measured calls of other clients',
  isExperimental: true,
  // in documents after protocols with a scheme of their own
  protocols: [{ rank: 1, load: () => CALL }],
  figures: [
    {
      scopes: {},
      counters: [
        {
          // Calls that ignored the signal that their time is over. One that the end of the run cut off may end by its
          // signal a little later, and is not abandoned then.
          ...{ path: 'requests.abandoned', key: 'callsAbandoned', endsLate: true },
          ...{ label: 'abandoned', isExperimental: true, isOptional: true },
          isMeasured: ({ operations, requests }) =>
            requests.abandoned !== void 0 || operations.some(({ protocol }) => protocol === 'measure'),
        },
      ],
    },
  ],
  errors: [
    {
      kinds: {
        call: {
          about: 'A measured call threw, or its promise was rejected',
          remedy: 'The message is that of the error, `location` the line of your code',
          others: { code: 'E_CALL', message: 'other errors of this call' },
        },
      },
      codes: {
        E_TIMEOUT_CALL: { message: 'no result within {ms} ms', kind: 'timeout' },
        E_CALL: {
          message: '{reason}',
          kind: 'call',
          hasCause: true,
          passesCause: true,
          codesOf: ({ cause }) => loadSteps().codesOfCall(cause),
        },
      },
    },
  ],
};

const addon_default7 = {
  name: 'capacity',
  about: 'the search for the highest load that a service can take',
  hints: [
    { at: 'full service', text: 'find the rate that it can do with bench-rest capacity' },
    { at: 'unknown limit', text: 'which bench-rest capacity shows' },
  ],
  isExperimental: true,
  needs: ['card', 'compare', 'page', 'server'],
  documentTypes: ['capacity'],
};

const addon_default8 = {
  name: 'card',
  about: 'a picture of a result',
  isExperimental: true,
  needs: ['formats', 'page', 'palette'],
  formats: [
    {
      name: 'card',
      about: 'a picture of 1200 × 630 pixels to show others, with the main figures and the latency over time',
      extension: '.svg',
      isForPeople: true,
      load: () => import('./addons/card/index.js'),
    },
  ],
};

const addon_default9 = {
  name: 'challenges',
  about: 'credentials that are sent when a server asks for them',
  middleware: [
    {
      load: () =>
        (isFile ? requireHere('./addons/challenges/challenge.js') : require('./addons/challenges/challenge.js'))
          .default,
    },
  ],
};

const addon_default10 = {
  name: 'compare',
  about: 'comparisons of results, and runs that take turns',
  hints: [
    {
      at: 'example',
      text: 'bench-rest ab ./old.js ./new.js -n 5000 -c 50               compare two flows: which is faster, is it significant',
    },
  ],
  needs: ['capacity', 'formats', 'history', 'page', 'processes', 'saved', 'server'],
  sections: [
    {
      name: 'baseline',
      suits: ({ baseline }) => baseline !== void 0,
      text: { before: 'thresholds' },
      markdown: { before: 'percentiles' },
      page: { after: 'latency', heading: 'Changes' },
      load: () => requireHere('./addons/compare/report/baseline.js'),
    },
  ],
  limits: [{ reason: 'regression', option: 'max-regression', of: ({ baseline }) => baseline?.regressions ?? [] }],
  documentTypes: ['comparison'],
  resultKeys: [{ name: 'baseline', before: 'confidence' }],
  errors: [
    {
      codes: {
        E_SETUP: {
          message: 'the setup ended with {how}: {command}',
          cure: 'mend it, or give another one with --setup{output}',
          exit: 'server',
        },
      },
    },
  ],
};

const addon_default11 = {
  name: 'completion',
  about: 'completion of the command line',
  isExperimental: true,
  needs: ['lists', 'saved'],
};

const loadOptions = () => (isFile ? requireHere('./addons/export/options.js') : require('./addons/export/options.js'));
const addon_default12 = {
  name: 'export',
  about: 'metrics for Prometheus and OpenTelemetry',
  isExperimental: true,
  needs: ['own-server'],
  options: [{ group: 'Results', before: 'trace', load: () => loadOptions().EXPORTERS }],
  sections: [
    {
      name: 'exports',
      suits: ({ exports: all }) => all !== void 0,
      text: { before: 'files', isFailure: true, isAttached: true },
      markdown: {},
      page: { after: 'log', heading: 'Exports of metrics' },
      load: () => requireHere('./addons/export/report/exports.js'),
    },
  ],
  resultKeys: [{ name: 'exports', after: 'log' }],
  participants: [
    {
      name: 'export',
      suits: (options) => loadOptions().exportersOf(options).length > 0,
      load: () => import('./addons/export/index.js'),
    },
  ],
  errors: [
    {
      codes: {
        E_EXPORTER: { message: '{option}: {reason}', cure: 'use another address or port', exit: 'usage' },
      },
    },
  ],
};

const addon_default13 = {
  name: 'formats',
  about: 'formats of results for spreadsheets, CI servers, pull requests and HdrHistogram, and that of bench-rest 1',
  formats: [
    {
      name: 'object',
      about: 'errors and stats as objects, as bench-rest 1 printed them',
      extension: '.txt',
      rank: -1,
      load: () => import('./addons/formats/object.js'),
    },
    {
      name: 'csv',
      about: 'a row for the iterations, one for each operation, each check and each metric of hooks (RFC 4180)',
      extension: '.csv',
      rank: -1,
      load: () => import('./addons/formats/csv.js'),
    },
    {
      name: 'junit',
      about:
        'a test case for each threshold, each check and one for the errors, with the metrics of hooks as properties, for CI',
      extension: '.xml',
      rank: -1,
      load: () => import('./addons/formats/junit.js'),
    },
    {
      name: 'markdown',
      about: 'tables for a pull request or the summary of a CI job',
      extension: '.md',
      isForPeople: true,
      rank: -1,
      load: () => import('./addons/formats/markdown.js'),
    },
    {
      name: 'github',
      about: 'annotations of GitHub Actions: the outcome, the errors, and what makes the figures suspect',
      extension: '.txt',
      isForPeople: true,
      rank: -1,
      load: () => import('./addons/formats/github.js'),
    },
    {
      name: 'hgrm',
      about: 'percentiles of the response time, for HdrHistogram plotters',
      extension: '.hgrm',
      rank: -1,
      load: () => import('./addons/formats/hgrm.js'),
    },
  ],
};

const loadGraphql = () => requireHere('./addons/graphql/graphql.js');
const loadRecord = () => requireHere('./core/flow/record.js');
const text = { type: 'string', minLength: 1 };
const MEMBERS = {
  query: { ...text, description: 'Text of the query' },
  file: { ...text, description: 'Path of its file' },
  operation: { ...text, description: 'Name of the operation, if the text has several' },
  persisted: {
    type: 'boolean',
    description: 'Send the SHA-256 hash instead of the text, which is sent if the server asks for it',
  },
};
const BODY = {
  name: 'graphql',
  about:
    'query of GraphQL, sent as JSON with variables; the response is parsed as JSON, and its errors are errors: text, or an object with query or file, and operation (the name) and persisted (by hash)',
  type: `string | { ${Object.entries(MEMBERS)
    .map(([name, { type }]) => `${name}?: ${type}`)
    .join(', ')} }`,
  check: (value) => (typeof value === 'string' ? value.trim() !== '' : loadRecord().isRecord(value)),
  expected: "a query, or an object such as { file: 'items.graphql' }",
  blank: '',
  isFixed: true,
  isJson: true,
  hasName: true,
  keepsEmpty: true,
  schema: {
    oneOf: [text, { type: 'object', properties: MEMBERS, additionalProperties: false }],
  },
  parts: {
    variables: {
      type: 'Computed<Record<string, unknown>>',
      check: (value) => loadRecord().isRecord(value),
      expected: 'an object such as { first: 10 }',
      // Hooks of flows for 1.2.4 may read one of the user's own.
      isOwn: (_, { graphql }) => graphql === void 0,
      remark: 'is for a GraphQL query: write graphql beside it',
      schema: { type: 'object' },
      about: 'variables of a GraphQL query: they may have tokens and functions, as json may',
    },
  },
  readers: {
    stream: {
      kind: 'sse',
      rulesOf: (operation) => loadGraphql().eventRules(operation),
    },
  },
  compile: (value, context) => loadGraphql().compileGraphql(value, context, MEMBERS),
};
const CHECK = {
  name: 'graphql',
  about: 'allow-errors: the list errors in a response of GraphQL is no error',
  reads: 'status',
  allows: true,
  type: "'allow-errors'",
  schema: { const: 'allow-errors' },
  check: (value) => value === 'allow-errors',
  expected: "'allow-errors'",
  compile: () => [],
};
const addon_default14 = {
  name: 'graphql',
  about: 'bodies of GraphQL, and errors in responses of GraphQL and JSON-RPC',
  isExperimental: true,
  bodies: [{ load: () => BODY }],
  // the last one in documents
  checks: [{ rank: 1, load: () => [CHECK] }],
  // after the challenge of a server, which repeats the request as it is
  middleware: [
    {
      rank: 1,
      load: () => (isFile ? requireHere('./addons/graphql/resend.js') : require('./addons/graphql/resend.js')).RESEND,
    },
  ],
  faults: [
    {
      load: () => (isFile ? requireHere('./addons/graphql/faults.js') : require('./addons/graphql/faults.js')).faultsOf,
    },
  ],
  errors: [
    {
      kinds: {
        graphql: {
          about: 'A GraphQL response has a list of errors, or is none',
          remedy: "The message has the first error with its path; `expect: { graphql: 'allow-errors' }`",
          others: { code: 'E_GRAPHQL', message: 'other errors of this operation' },
        },
      },
      codes: {
        E_GRAPHQL: { message: '{reason}', kind: 'graphql', codesOf: ({ ownCode }) => [ownCode] },
      },
    },
  ],
};

const STATUSES = [
  { name: 'OK', remedy: '' },
  { name: 'CANCELLED', remedy: "look at the server's log" },
  { name: 'UNKNOWN', remedy: "look at the server's log" },
  { name: 'INVALID_ARGUMENT', remedy: 'compare the message with what the server expects' },
  { name: 'DEADLINE_EXCEEDED', remedy: 'the server did not answer in time: raise timeout, or look for its limit' },
  { name: 'NOT_FOUND', remedy: "if that is right, write expect: { status: 'NOT_FOUND' }" },
  { name: 'ALREADY_EXISTS', remedy: 'use values of each iteration, such as #{INDEX}' },
  { name: 'PERMISSION_DENIED', remedy: 'check metadata: { authorization }' },
  { name: 'RESOURCE_EXHAUSTED', remedy: 'use fewer virtual users, or a lower rate' },
  { name: 'FAILED_PRECONDITION', remedy: 'compare the order of the operations with what the server expects' },
  { name: 'ABORTED', remedy: "look at the server's log" },
  { name: 'OUT_OF_RANGE', remedy: 'compare the message with what the server expects' },
  { name: 'UNIMPLEMENTED', remedy: 'does this server have the method?' },
  { name: 'INTERNAL', remedy: "look at the server's log" },
  { name: 'UNAVAILABLE', remedy: 'the server is down or overloaded: use fewer virtual users, or a lower rate' },
  { name: 'DATA_LOSS', remedy: "look at the server's log" },
  { name: 'UNAUTHENTICATED', remedy: 'check metadata: { authorization }' },
];
const STATUS_NAMES = STATUSES.map(({ name }) => name);
function errorOfStatus(name) {
  return `E_GRPC_${name}`;
}
const CODES_OF_STATUSES = Object.fromEntries(
  STATUSES.slice(1).map(({ name, remedy }) => [
    errorOfStatus(name),
    { message: `status ${name}{reason}`, cure: remedy, kind: 'grpc' },
  ]),
);

const addon_default15 = {
  name: 'grpc',
  about: 'gRPC',
  isExperimental: true,
  needs: ['http2', 'streams'],
  // in documents after WebSockets
  protocols: [
    {
      rank: 0.5,
      scheme: 'grpc',
      over: 'http',
      load: () => (isFile ? requireHere('./addons/grpc/flow/index.js') : require('./addons/grpc/flow/index.js')).GRPC,
    },
  ],
  probes: [{ scheme: 'grpc', awaited: 'SERVING of', load: () => import('./addons/grpc/health.js') }],
  checks: [
    {
      rank: 2,
      load: () => (isFile ? requireHere('./addons/grpc/flow/check.js') : require('./addons/grpc/flow/check.js')).CHECKS,
    },
  ],
  errors: [
    {
      kinds: {
        grpc: {
          about: 'A call of gRPC ended with another status than OK',
          remedy: "The message has the server's text and details; `expect: { status: 'NOT_FOUND' }`",
          others: { code: 'E_GRPC_UNKNOWN', message: 'other errors of this call' },
        },
      },
      codes: {
        ...CODES_OF_STATUSES,
        E_GRPC_PROTOCOL: {
          message: 'the server broke gRPC: {reason}',
          cure: 'is this a gRPC server? Look at what is between it and the load generator',
          kind: 'protocol',
        },
        E_GRPC_MESSAGE_TOO_LARGE: {
          message: 'a message of the response is larger than {limit} bytes',
          cure: 'raise maxBodySize',
          kind: 'protocol',
        },
        E_GRPC_MESSAGE: { message: 'the message cannot be encoded as {type}: {reason}', kind: 'hook' },
      },
    },
  ],
};

const addon_default16 = {
  name: 'history',
  about: 'results over commits',
  hints: [{ at: 'label', text: 'bench-rest history names results by it' }],
  isExperimental: true,
  needs: ['compare', 'page', 'saved'],
  documentTypes: ['history'],
};

const isMeasured = ({ http2 }) => http2 !== void 0;
const MORE = [
  { path: 'http2.fallbacks', key: 'http2Fallbacks' },
  { path: 'http2.requests', key: 'http2Streams', isExperimental: false },
  { path: 'http2.connections', key: 'http2Opened', isExperimental: false },
  // The sum over all requests of those in flight on their connection.
  { path: 'http2.inFlight', key: 'http2InFlight' },
  { path: 'http2.resets', key: 'http2Resets' },
  { path: 'http2.goAways', key: 'http2GoAways' },
  { path: 'http2.violations', key: 'http2Violations' },
  { path: 'http2.waits', key: 'http2Waits' },
  { path: 'http2.waitTime', key: 'http2WaitTime', kind: 'number', unit: 'ms' },
];
const FIGURES = {
  scopes: { http2: 'requests and connections of HTTP/2' },
  counters: MORE.map((row) => ({ isExperimental: true, isMeasured, ...row })),
  derived: [
    {
      ...{ path: 'http2.concurrency', of: ['http2.inFlight'], per: 'http2.requests' },
      ...{ isExperimental: true, isMeasured },
    },
  ],
  lists: [{ path: 'http2.codes', key: 'http2Codes', by: ['event', 'code'] }],
};

const sentCode = ({ ownCode }) => [ownCode];
const addon_default17 = {
  name: 'http2',
  about: 'HTTP/2',
  hints: [{ at: 'no HTTP/1.1', text: 'write http2 (--http2) if it speaks HTTP/2 alone' }],
  options: [
    {
      group: 'Connections',
      after: 'pipelining',
      load: () =>
        (isFile ? requireHere('./addons/http2/options.js') : require('./addons/http2/options.js')).HTTP2_OPTIONS,
    },
  ],
  figures: [FIGURES],
  resultKeys: [{ name: 'http2', before: 'operations' }],
  sections: [
    {
      name: 'http2',
      suits: ({ http2 }) => http2 !== void 0,
      text: { before: 'latency', isFailure: true },
      markdown: { before: 'traces' },
      page: { after: 'addresses', heading: 'HTTP/2' },
      load: () => requireHere('./addons/http2/report/http2.js'),
    },
  ],
  httpVersions: [
    { load: () => (isFile ? requireHere('./addons/http2/version.js') : require('./addons/http2/version.js')).VERSION },
  ],
  errors: [
    {
      codes: {
        E_HTTP2: {
          message: 'connection closed by bench-rest: the server broke HTTP/2: {what}',
          kind: 'protocol',
          codesOf: sentCode,
        },
        E_HTTP2_SERVER: {
          message: 'the server speaks HTTP/2, and the request was sent in HTTP/1.1',
          cure: "write --http2 prior-knowledge, or http2: 'prior-knowledge' in the operation",
          kind: 'protocol',
        },
        E_STREAM_RESET: { message: 'the server reset the stream: {code}', kind: 'reset', codesOf: sentCode },
        E_GOAWAY: {
          message: 'the server ended the connection {when}: {reason}',
          kind: 'reset',
          isOfClose: true,
          codesOf: sentCode,
        },
        E_HTTP2_CLOSED: {
          message: 'connection of HTTP/2 closed by {closer} before a response',
          kind: 'reset',
          isOfClose: true,
        },
        E_TIMEOUT_STREAM: { message: 'no free stream of HTTP/2 within {ms} ms: nothing was sent', kind: 'timeout' },
        E_TIMEOUT_SETTINGS: {
          message: 'the server accepted the connection and sent no settings of HTTP/2 within {ms} ms',
          cure: 'check that it speaks HTTP/2, or write http2: false',
          kind: 'timeout',
        },
        E_HPACK: { message: 'malformed header block of HTTP/2 (HPACK): {reason}', kind: 'protocol' },
        E_NO_HTTP2: {
          message: 'the server does not speak HTTP/2: {what}',
          cure: 'write http2: true, which falls back to HTTP/1.1',
          kind: 'protocol',
        },
      },
    },
  ],
};

const HAR = {
  name: 'har',
  about: 'a HAR 1.2 recording of a browser or proxy: its requests to one origin become the operations of main',
  isRecording: true,
  options: { names: ['harCookies', 'harTiming'], refusal: 'is an option of recordings: the flow is no .har file' },
  select: recordingOptions,
  recognizes: ({ log }) => isRecord(log) && (Array.isArray(log.entries) || log.creator !== void 0),
  async toFlow(document, problems, context) {
    const { recordedFlow } = await import('./addons/import/dialects/har.js');
    return recordedFlow(document, problems, context);
  },
};
const DIALECTS = [
  HAR,
  imported({
    name: 'openapi',
    about: 'an OpenAPI or Swagger document: its operations, in the order in which they depend on each other',
    recognizes: ({ openapi, swagger, paths }) => (typeof openapi === 'string' || swagger !== void 0) && isRecord(paths),
    load: () => import('./addons/import/openapi/index.js'),
  }),
  imported({
    name: 'postman',
    about: 'a Postman collection: its requests in their order',
    recognizes: ({ info, item }) => isRecord(info) && Array.isArray(item),
    load: () => import('./addons/import/postman/index.js'),
  }),
  imported({
    name: 'insomnia',
    about: 'an export of Insomnia: its requests in their order',
    recognizes: ({ _type, resources, type }) =>
      (_type === 'export' && Array.isArray(resources)) || /^collection\.insomnia\.rest/.test(String(type)),
    load: () => import('./addons/import/insomnia/index.js'),
  }),
  imported({
    name: 'artillery',
    about: 'a script of Artillery: its scenarios, its load and its conditions',
    recognizes: ({ config, scenarios }) => isRecord(config) && Array.isArray(scenarios),
    load: () => import('./addons/import/artillery/index.js'),
  }),
];
function imported({ load, ...row }) {
  return {
    ...row,
    async toFlow(document, _, context) {
      const [reader, { importedFlow }] = await Promise.all([load(), import('./addons/import/dialects/imported.js')]);
      return importedFlow(reader, document, context);
    },
  };
}
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function recordingOptions({ harCookies, harTiming, baseUrl, headers, user }) {
  return {
    cookies: harCookies === true,
    timing: harTiming === true,
    ...(typeof baseUrl === 'string' && { baseUrl }),
    headers: [...Object.keys(isRecord(headers) ? headers : {}), ...(user === void 0 ? [] : ['authorization'])],
  };
}
const harOptions = (flag) =>
  /** @type {any} */
  [
    {
      name: 'harCookies',
      flag: '--har-cookies',
      ...flag,
      default: false,
      about: 'send the cookies of a HAR recording, instead of those that the server sets',
    },
    {
      name: 'harTiming',
      flag: '--har-timing',
      ...flag,
      default: false,
      about: 'pause between the requests of a HAR recording as long as the recording did',
    },
  ];

const TARGETS = ['.txt', '.targets', '.jsonl'];
const textFormat = (name) => ({
  load: async () => ({ read: (await import('./addons/import/formats/imported.js')).readerOf(name) }),
});
const addon_default18 = {
  name: 'import',
  about: 'flows from documents of other tools',
  isExperimental: true,
  needs: ['graphql'],
  options: [
    {
      group: 'Requests',
      before: 'maxHeaderFields',
      load: () =>
        harOptions((isFile ? requireHere('./core/run/options/row.js') : require('./core/run/options/row.js')).flag),
    },
  ],
  flowFormats: [
    {
      name: 'har',
      about: 'a HAR 1.2 recording of a browser or proxy; never executed',
      extensions: ['.har'],
      load: () => import('./addons/import/formats/har.js'),
    },
    {
      name: 'curl',
      about: 'a file with curl commands, each an operation; never executed',
      extensions: ['.sh', '.curl'],
      ...textFormat('curl'),
    },
    {
      name: 'http-file',
      about: 'an HTTP file of the VS Code REST Client or of JetBrains; its scripts are never executed',
      extensions: ['.http', '.rest'],
      ...textFormat('http-file'),
    },
    {
      name: 'vegeta',
      about: `targets of vegeta, or URLs, one per line (${TARGETS.join(', ')}); each iteration sends the next one`,
      extensions: [],
      accepts: ({ path, extension = '' }) => path !== void 0 && TARGETS.includes(extension),
      ...textFormat('vegeta'),
    },
  ],
  flowTexts: [
    {
      inArgument: ['curl'],
      explain: (...given) => requireHere('./addons/import/k6/explain.js').explain(...given),
      load: () => import('./addons/import/formats/imported.js'),
    },
  ],
  dialects: DIALECTS,
};

const addon_default19 = {
  name: 'init',
  about: 'a first flow, and a first add-on',
  isExperimental: true,
  needs: ['serve'],
};

const addon_default20 = {
  name: 'json-path',
  about: 'JSONPath with wildcards, slices and filters',
  jsonPaths: [{ load: () => requireHere('./addons/json-path/query.js').compileQuery }],
};

const addon_default21 = {
  name: 'kubernetes',
  about: 'jobs of Kubernetes',
  isExperimental: true,
  needs: ['agents'],
};

const addon_default22 = {
  name: 'lists',
  about: 'lists of what can be used by name',
  hints: [{ at: 'list', text: 'bench-rest list' }],
};

const addon_default23 = {
  name: 'loads',
  about: 'several loads in one run',
  isExperimental: true,
  loads: [{ load: () => requireHere('./addons/loads/index.js') }],
  sections: [
    {
      name: 'loads',
      suits: ({ loads }) => loads !== void 0,
      text: { before: 'figures', isFailure: true, isLong: true },
      markdown: { before: 'figures' },
      page: { before: 'by-load', heading: 'Loads' },
      load: () => requireHere('./addons/loads/report/loads.js'),
    },
  ],
  resultKeys: [{ name: 'loads', before: 'operations' }],
};

const addon_default24 = {
  name: 'log',
  about: 'a log of requests',
  isExperimental: true,
  needs: ['processes'],
  options: [
    {
      group: 'Results',
      after: 'expectedInterval',
      load: () => (isFile ? requireHere('./addons/log/options.js') : require('./addons/log/options.js')).LOG,
    },
  ],
  sections: [
    {
      name: 'log',
      suits: ({ log }) => log !== void 0,
      text: { after: 'outcome', isFailure: true, isAttached: true },
      markdown: { after: 'section' },
      page: { after: 'validity', heading: 'Log of requests' },
      load: () => requireHere('./addons/log/report/files.js'),
    },
  ],
  resultKeys: [{ name: 'log', after: 'servers' }],
  errors: [
    {
      codes: {
        E_LOG: {
          message: 'the log of requests cannot be written: {path}: {reason}',
          cure: '{cure}',
          exit: 'usage',
        },
      },
    },
  ],
  reasons: [{ reason: 'notWritten', isOf: ({ log }) => log?.files.some(({ error }) => error !== void 0) ?? false }],
  requestLogs: [
    {
      suits: ({ log }) => log !== void 0,
      load: async () => (await import('./addons/log/request-log.js')).RequestLog,
    },
  ],
};

const addon_default25 = {
  name: 'mcp',
  about: 'the server for assistants',
  isExperimental: true,
  needs: ['agents', 'bounds', 'compare', 'export', 'import', 'saved'],
};

const addon_default26 = {
  name: 'merge',
  about: 'results of several runs as one',
  hints: [{ at: 'run id', text: 'bench-rest merge refuses shards of another one' }],
  isExperimental: true,
  needs: ['compare', 'loads', 'log', 'saved', 'server'],
  sections: [
    {
      name: 'shards',
      suits: ({ run }) => run?.shards !== void 0,
      text: { before: 'section', isFailure: true },
      markdown: { after: 'checks' },
      page: { after: 'checks', heading: 'Machines' },
      load: () => requireHere('./addons/merge/report/shards.js'),
    },
  ],
};

const addon_default27 = {
  name: 'multipart',
  about: 'bodies of several parts: forms with files, and multipart/related',
  // in documents beside the other bodies of the core
  bodies: [
    {
      rank: -1,
      load: () =>
        (isFile ? requireHere('./addons/multipart/form-data.js') : require('./addons/multipart/form-data.js')).default,
    },
    {
      rank: -1,
      load: () =>
        (isFile ? requireHere('./addons/multipart/multipart.js') : require('./addons/multipart/multipart.js')).default,
    },
  ],
};

const addon_default28 = {
  name: 'own-server',
  about: 'servers of this tool, which answer requests for their own names alone: for other add-ons',
};

const addon_default29 = {
  name: 'page',
  about: 'pages with charts',
  hints: [
    { at: 'example', text: 'bench-rest -t 30s -o page.html ./flow.js                     a test with an HTML report' },
  ],
  isExperimental: true,
  needs: ['capacity', 'compare', 'formats', 'history', 'own-server', 'palette', 'preview', 'server'],
  formats: [
    {
      name: 'html',
      about: 'a self-contained page with charts',
      extension: '.html',
      isJson: true,
      load: () => import('./addons/page/index.js'),
    },
  ],
};

const addon_default30 = {
  name: 'palette',
  about: 'colors of pages, pictures and the screen: for other add-ons',
};

const addon_default31 = {
  name: 'preview',
  about: 'the options and the load of a run, before it sends anything',
};

const addon_default32 = {
  name: 'processes',
  about: 'processes of this machine, and folders that belong to one of them: for other add-ons',
};

const loadRandom = () => requireHere('./addons/random-tokens/random.js');
const addon_default33 = {
  name: 'random-tokens',
  about: 'tokens of random values',
  tokens: [
    {
      name: 'uuid',
      about: 'a random UUID (RFC 9562, version 4)',
      value: (use, context) => loadRandom().uuid(use, context),
    },
    {
      name: 'randomInt',
      about: 'a random whole number, both limits included',
      usage: 'randomInt(1,100)',
      value: (use, context) => loadRandom().randomInt(use, context),
    },
    {
      name: 'randomItem',
      about: 'a random one of these texts',
      usage: 'randomItem(red,green,blue)',
      value: (use, context) => loadRandom().randomItem(use, context),
    },
    {
      name: 'randomString',
      about: 'a random text of this many letters and digits, up to 1,000',
      usage: 'randomString(12)',
      value: (use, context) => loadRandom().randomString(use, context),
    },
  ],
};

const addon_default34 = {
  name: 'record',
  about: 'flows from recorded requests',
  isExperimental: true,
  needs: ['import', 'own-server', 'processes', 'server'],
  errors: [
    {
      codes: {
        E_RECORD: { message: 'cannot record: {reason}', cure: '{cure}', exit: 'usage' },
      },
    },
  ],
};

const addon_default35 = {
  name: 'rehearsal',
  about: 'requests of a run at a rate to a server of its own thread, before the first one that is measured',
  participants: [
    {
      name: 'rehearsal',
      // Workers have threads of their own, and a warm-up does the same with the requests of the user.
      suits: ({ rate, stages, warmup, workers }) =>
        (rate ?? stages?.find((stage) => stage.rate)) !== void 0 && warmup === void 0 && workers === void 0,
      load: () => import('./addons/rehearsal/rehearsal.js'),
    },
  ],
};

const addon_default36 = {
  name: 'request-library',
  about: 'options of the request library in operations, as flows for 1.2.4 have them',
  oldOptions: [
    {
      load: () =>
        (isFile ? requireHere('./addons/request-library/options.js') : require('./addons/request-library/options.js'))
          .OPTIONS,
    },
  ],
};

const addon_default37 = {
  name: 'saved',
  about: 'saved results, which are checked when they are read',
  hints: [{ at: 'result', text: 'print it with bench-rest report' }],
};

const addon_default38 = {
  name: 'schema',
  about: 'checks of bodies by a JSON Schema',
  checks: [
    {
      load: () => [(isFile ? requireHere('./addons/schema/schema.js') : require('./addons/schema/schema.js')).default],
    },
  ],
};

import { writeMs } from './core/ground/units.js';

const SCREEN = { columns: 100, rows: 30, ms: 5e3 };

const addon_default39 = {
  name: 'screen',
  about: 'the whole screen during a run',
  isExperimental: true,
  needs: ['bar', 'loads', 'palette'],
  displays: [
    {
      name: 'screen',
      about: `the whole screen, for terminals of at least ${SCREEN.columns} x ${SCREEN.rows} and runs of ${writeMs(SCREEN.ms)} or longer; --no-tui: none`,
      suits: ({ stderr, env, isForPrograms, screen = 'never' }) =>
        screen !== 'never' &&
        Boolean(stderr.isTTY) &&
        env.TERM !== 'dumb' &&
        !isForPrograms &&
        (screen === 'always' || !env.CI),
      needsIntervals: true,
      load: () => import('./addons/screen/index.js'),
    },
  ],
};

const addon_default40 = {
  name: 'serve',
  about: 'the embedded target',
  hints: [
    { at: 'no flow', text: 'bench-rest --serve -n 10k' },
    { at: 'path', text: '--serve' },
    {
      at: 'example',
      text: 'bench-rest --serve -n 10k                                   try it: a run against the embedded target',
    },
    {
      at: 'example',
      text: 'bench-rest serve --port 8000                                only the embedded REST target',
    },
  ],
  isExperimental: true,
  needs: ['own-server'],
  errors: [
    {
      codes: {
        E_TARGET: { message: '{problems}', exit: 'usage' },
      },
    },
  ],
};

const loadTarget = () =>
  isFile ? requireHere('./addons/server/options/target.js') : require('./addons/server/options/target.js');
const loadProfile = () =>
  isFile ? requireHere('./addons/server/options/profile.js') : require('./addons/server/options/profile.js');
const addon_default41 = {
  name: 'server',
  about: 'the server under test: its start, its figures and its profile',
  isExperimental: true,
  needs: ['processes'],
  options: [{ group: 'Server', load: () => loadTarget().TARGET }],
  sections: [
    {
      name: 'server',
      suits: ({ servers = [] }) => servers.some(({ source }) => source === 'process'),
      text: { before: 'errors', isFailure: true },
      markdown: { before: 'traces' },
      load: () => requireHere('./addons/server/report/server.js'),
    },
    {
      name: 'target',
      suits: ({ servers = [] }) => servers.some(({ source }) => source === 'thread'),
      text: { after: 'load', isFull: true, isAttached: true },
      load: () => requireHere('./addons/server/report/target.js'),
    },
    {
      name: 'profile',
      suits: ({ profiles, baseline }) => Boolean(profiles ?? baseline?.profiles),
      text: { before: 'errors' },
      markdown: { before: 'traces' },
      load: () => requireHere('./addons/server/report/profile-blocks.js'),
    },
  ],
  thresholdFigures: [
    { name: 'server.cpu', path: 'servers.0.cpuCores', unit: 'cores' },
    { name: 'server.memory', path: 'servers.0.memory.peak', unit: 'B' },
    { name: 'server.memoryGrowth', path: 'servers.0.memory.growth', unit: 'B' },
    { name: 'server.openFiles', path: 'servers.0.openFiles.peak', unit: '' },
    { name: 'server.threads', path: 'servers.0.threads.peak', unit: '' },
    { name: 'server.eventLoopUtilization', path: 'servers.0.eventLoopUtilization', unit: 'ratio' },
    { name: 'server.eventLoopDelay', path: 'servers.0.eventLoopDelay.p99', unit: 'ms' },
    { name: 'server.gc', path: 'servers.0.gcShare', unit: 'ratio' },
    { name: 'server.heap', path: 'servers.0.heap.peak', unit: 'B' },
  ],
  conclusions: [
    {
      suits: ({ servers }) => servers !== void 0,
      load: () => requireHere('./addons/server/measure/server-conclusions.js'),
    },
  ],
  doubts: [{ codes: ['profileIncomplete', 'profiled'], of: () => [] }],
  endReasons: [
    {
      name: 'server',
      about: 'the server of --start ended',
      message: 'stopped, because the server of --start ended',
    },
  ],
  resultKeys: [{ name: 'servers', after: 'loadGenerators' }, { name: 'profiles' }],
  hosts: [
    { suits: (options) => loadTarget().hasServer(options), load: () => import('./addons/server/run-with-server.js') },
    {
      suits: ({ target }) => target !== void 0,
      plansLate: true,
      // Before the program calls listen() of its servers: the module notes those that still resolve a name.
      begin: () =>
        void (isFile ? requireHere('./addons/server/local-server.js') : require('./addons/server/local-server.js')),
      load: () => import('./addons/server/local-server.js'),
    },
  ],
  participants: [
    {
      name: 'profile',
      suits: (options) => loadProfile().isProfiled(options),
      check: (options, files, problems) => loadProfile().checkProfile(options, files, problems),
      writes: (path) => loadProfile().isProfileFile(path),
      load: () => import('./addons/server/recorders/index.js'),
    },
  ],
  errors: [
    {
      kinds: {
        server: {
          about: 'The server that the run started ended before the run',
          remedy: 'Its last output, which the command prints on stderr',
        },
      },
      codes: {
        E_START_COMMAND: {
          message: 'the server was not started, {how}: {command}',
          cure: 'is the program installed, and does the folder exist? --start runs a line in the shell',
          exit: 'server',
        },
        E_START_ENDED: {
          message: 'the server {how}, before it was ready ({awaited}): {command}',
          cure: '{cure}{output}',
          exit: 'server',
        },
        E_START_TIMEOUT: {
          message: 'the server is not ready after {after}, waited for {awaited}: {command}',
          cure: '{cure}{output}',
          exit: 'server',
        },
        E_START_IN_USE: {
          message: 'something listens at {place} already, so the server was not started',
          cure: 'stop it, or leave out --start to benchmark what runs there',
          exit: 'server',
        },
        E_WATCH: { message: 'cannot watch {target}: {reason}', cure: '{cure}', exit: 'server' },
        E_START_PORT: {
          message: 'no port is free for the server',
          cure: 'write --start-ready with its URL',
          exit: 'server',
        },
        E_SERVER_ENDED: { message: 'the server {how}: {command}', cure: '{cure}', kind: 'server' },
      },
    },
  ],
};

const addon_default42 = {
  name: 'server-timing',
  about: 'times that responses tell in Server-Timing',
  middleware: [
    {
      load: () =>
        (isFile
          ? requireHere('./addons/server-timing/server-timing.js')
          : require('./addons/server-timing/server-timing.js')
        ).default,
    },
  ],
};

const TIMES =
  /** @type {const} */
  [
    { key: 'firstEvent', label: 'first event', compared: ['p50', 'p95', 'p99'] },
    { key: 'gap', label: 'gap', compared: ['p50', 'p99'] },
    { key: 'meanGap', label: 'mean gap', compared: ['p50', 'p95'] },
    { key: 'duration', label: 'duration', compared: [] },
  ];
const SERIES =
  /** @type {const} */
  ['firstEvent', 'gap'];
const COUNTS =
  /** @type {const} */
  [
    { key: 'count', unit: '' },
    { key: 'events', unit: '', rate: 'eventRate' },
    { key: 'bytes', unit: 'B' },
    { key: 'counted', unit: '', rate: 'countedRate', isOptional: true },
    { key: 'reconnects', unit: '', isOptional: true },
  ];

const addon_default43 = {
  name: 'streams',
  about: 'responses that are streams',
  isExperimental: true,
  sections: [
    {
      name: 'streams',
      suits: ({ operations }) => operations.some(({ stream }) => stream !== void 0),
      text: { before: 'latency', isFailure: true },
      markdown: { after: 'traces' },
      page: { before: 'stream-times', heading: 'Streams' },
      load: () => requireHere('./addons/streams/report/streams.js'),
    },
  ],
  operationFigures: [
    {
      key: 'stream',
      noun: { one: 'a stream', many: 'streams' },
      cure: "add stream: 'sse' to one, or another kind",
      times: TIMES,
      counts: COUNTS,
      series: SERIES,
      seriesRate: 'eventRate',
      example: 'gap.p99',
      limits: { name: 'goodput', example: 'goodput(firstEvent<500ms)' },
      load: () => requireHere('./addons/streams/measure/streams.js'),
    },
  ],
  readers: [
    {
      load: () =>
        (isFile ? requireHere('./addons/streams/flow/stream.js') : require('./addons/streams/flow/stream.js')).READER,
    },
  ],
  checks: [
    {
      load: () =>
        (isFile ? requireHere('./addons/streams/flow/check.js') : require('./addons/streams/flow/check.js')).CHECKS,
    },
  ],
  errors: [
    {
      cures: { E_TIMEOUT_EVENTS: "write stream: 'sse' in the operation" },
      codes: {
        E_EVENT_TOO_LARGE: {
          message: 'connection closed by bench-rest: an event of the stream is larger than {limit} bytes',
          cure: 'raise maxBodySize',
          kind: 'protocol',
        },
        E_STREAM_ENCODED: {
          message: 'the stream has the content coding {coding}, which cannot be decoded',
          cure: 'send another Accept-Encoding',
          kind: 'protocol',
        },
        E_STREAM_EMPTY: {
          message: 'the stream ended without an event{reason}',
          cure: 'if that is right, write expect: { events: { gte: 0 } }',
          kind: 'expect',
        },
      },
    },
  ],
};

const addon_default44 = {
  name: 'trace-context',
  about: 'traces that requests name',
  isExperimental: true,
  options: [
    {
      group: 'Requests',
      after: 'allowTargets',
      load: () =>
        (isFile ? requireHere('./addons/trace-context/options.js') : require('./addons/trace-context/options.js'))
          .TRACES,
    },
  ],
  senders: [
    {
      suits: ({ traceContext, traceLink }) => traceContext !== false && (traceContext ?? traceLink) !== void 0,
      load: () => requireHere('./addons/trace-context/trace-context.js').senderOf,
    },
  ],
};

const addon_default45 = {
  name: 'undici',
  about: 'the HTTP client of undici',
  isExperimental: true,
  transports: [
    {
      name: 'undici',
      about:
        "undici's Client, for cross-checking; refuses 100 Continue that was not asked for, folded fields, and Content-Length twice",
      capabilities: [],
      refusedFields: ['expect', 'keep-alive', 'transfer-encoding', 'upgrade'],
      // Bun has a module of this name, whose Client sends no requests
      missingIn: ['bun'],
      load: () => import('./addons/undici/index.js'),
    },
  ],
};

const addon_default46 = {
  name: 'variables',
  about: 'the search for variables that the threads of a run would not share',
  sharedVariables: [{ load: () => requireHere('./addons/variables/shared-variables.js').sharedVariable }],
};

const CLOSE_CODES = {
  1e3: {
    meaning: 'normal closure',
    remedy: 'the server ended the conversation: send and expect less, or close first',
  },
  1001: { meaning: 'going away', remedy: 'was the server stopped or restarted?' },
  1002: { meaning: 'protocol error', remedy: 'the server does not understand our frames: is it RFC 6455?' },
  1003: {
    meaning: 'unsupported data',
    remedy: 'does the server expect text, or binary data? A Buffer is sent as binary',
  },
  1005: { meaning: 'no code', remedy: "look at the server's log" },
  1006: { meaning: 'no close frame', remedy: 'did the server crash, or a proxy time out?' },
  1007: { meaning: 'invalid data', remedy: 'does the server expect another format?' },
  1008: { meaning: 'policy violation', remedy: 'check credentials, origin and the rate limits of the server' },
  1009: { meaning: 'message too big', remedy: "send less, or raise the server's limit" },
  1010: { meaning: 'extension required', remedy: 'extensions are not supported' },
  1011: { meaning: 'internal error', remedy: "look at the server's log" },
  1012: { meaning: 'service restart', remedy: 'was the server restarted?' },
  1013: { meaning: 'try again later', remedy: 'the server is overloaded: use fewer virtual users, or a lower rate' },
  1014: { meaning: 'bad gateway', remedy: 'look at the server behind the gateway' },
};
function errorOfClose(closeCode) {
  return Object.hasOwn(CLOSE_CODES, closeCode) ? `E_WS_CLOSED_${closeCode}` : 'E_WS_CLOSED';
}
const CODES_OF_CLOSES = Object.fromEntries(
  Object.entries(CLOSE_CODES).map(([code, { meaning, remedy }]) => [
    errorOfClose(Number(code)),
    { message: `WebSocket closed by the server with code {code} (${meaning}){reason}`, cure: remedy, kind: 'reset' },
  ]),
);

const isMeasured2 = ({ operations, messages }) =>
  messages !== void 0 || operations.some(({ protocol }) => protocol === 'ws');
const addon_default47 = {
  name: 'websocket',
  about: 'WebSocket',
  figures: [
    {
      scopes: { messages: 'messages of WebSockets' },
      counters: [
        { path: 'messages.sent', key: 'messagesSent', isMeasured: isMeasured2 },
        { path: 'messages.received', key: 'messagesReceived', isMeasured: isMeasured2 },
        { path: 'messages.unexpected', key: 'messagesUnread', isExperimental: true, isMeasured: isMeasured2 },
        { path: 'messages.unexpectedGreetings', key: 'greetingsUnread', isExperimental: true, isMeasured: isMeasured2 },
        { path: 'messages.surplus', key: 'messagesSurplus', isExperimental: true, isMeasured: isMeasured2 },
      ],
      derived: [{ path: 'messages.receivedRate', of: ['messages.received'], per: 'second', isMeasured: isMeasured2 }],
    },
  ],
  doubts: [
    {
      codes: ['surplusMessages', 'unreadGreetings'],
      of: (stats) => (stats.messages === void 0 ? [] : requireHere('./addons/websocket/doubts.js').doubtsOf(stats)),
    },
  ],
  resultKeys: [{ name: 'messages', after: 'bytes' }],
  protocols: [
    {
      scheme: 'ws',
      load: () =>
        (isFile ? requireHere('./addons/websocket/flow/index.js') : require('./addons/websocket/flow/index.js'))
          .WEB_SOCKET,
    },
  ],
  errors: [
    {
      codes: {
        E_WS_REFUSED: {
          message: 'the server answered the WebSocket handshake with {status}{to}',
          cure: 'is there a WebSocket at this URL? Redirects of a handshake are not followed',
          kind: 'protocol',
        },
        E_WS_HANDSHAKE: {
          message: 'malformed answer to the WebSocket handshake: {reason}',
          cure: 'look at what is between the load generator and the server',
          kind: 'protocol',
        },
        E_WS_FRAME: {
          message: 'WebSocket closed by bench-rest: malformed frame: {reason}',
          cure: "look at the server's log",
          kind: 'protocol',
        },
        E_WS_MESSAGE_TOO_LARGE: {
          message: 'WebSocket closed by bench-rest: a message is larger than {limit} bytes',
          cure: 'raise maxBodySize',
          kind: 'protocol',
        },
        E_WS_TOO_MANY_PARTS: {
          message: 'WebSocket closed by bench-rest: a message has more than {limit} parts',
          cure: 'let the server send it in larger ones',
          kind: 'protocol',
        },
        E_WS_EXPECT: {
          message: 'message {number} is not the expected one: {reason}',
          cure: 'compare expect with what the server sends; see --debug',
          kind: 'expect',
        },
        E_WS_NOT_OPEN: {
          message: 'there is no open WebSocket to {origin}',
          cure: 'an earlier operation of the iteration failed, or closed it',
          kind: 'reset',
        },
        E_WS_CLOSED: {
          message: 'WebSocket closed by the server with code {code}{reason}',
          cure: "codes from 4000 are the server's own: look at its documents or its log",
          kind: 'reset',
        },
        ...CODES_OF_CLOSES,
      },
    },
  ],
};

import { joinAddons } from './core/ground/addons.js';
const ADDONS = [
  addon_default,
  addon_default2,
  addon_default3,
  addon_default4,
  addon_default5,
  addon_default6,
  addon_default7,
  addon_default8,
  addon_default9,
  addon_default10,
  addon_default11,
  addon_default12,
  addon_default13,
  addon_default14,
  addon_default15,
  addon_default16,
  addon_default17,
  addon_default18,
  addon_default19,
  addon_default20,
  addon_default21,
  addon_default22,
  addon_default23,
  addon_default24,
  addon_default25,
  addon_default26,
  addon_default27,
  addon_default28,
  addon_default29,
  addon_default30,
  addon_default31,
  addon_default32,
  addon_default33,
  addon_default34,
  addon_default35,
  addon_default36,
  addon_default37,
  addon_default38,
  addon_default39,
  addon_default40,
  addon_default41,
  addon_default42,
  addon_default43,
  addon_default44,
  addon_default45,
  addon_default46,
  addon_default47,
];
joinAddons(import.meta.url, ADDONS);
export { ADDONS };
