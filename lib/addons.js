// @ts-nocheck: scripts/addons.js writes this module from lib/addons/*/addon.js, by npm run generate
const { createRequire } = process.getBuiltinModule('node:module');
const requireHere = createRequire(import.meta.url);
const isFile = /\/lib\/addons(-of-command)?\.js$/.test(import.meta.url);
const addon_default = {
  name: 'agents',
  about: 'runs on several machines, with a queue between them',
  needs: ['export', 'log', 'merge'],
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
      load: () => requireHere('./addons/agents/report/agents.js'),
    },
  ],
  resultKeys: [
    {
      name: 'agents',
      after: 'loadGenerators',
      schema: () => requireHere('./addons/agents/report/agents.js').agentsSchema(),
    },
  ],
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
const addon_default2 = {
  name: 'calls',
  about: 'measured calls of other clients',
  // in documents after protocols with a scheme of their own
  protocols: [{ rank: 1, load: () => CALL }],
};

const addon_default3 = {
  name: 'capacity',
  about: 'the search for the highest load that a service can take',
  needs: ['card', 'compare', 'page', 'server'],
  documentTypes: ['capacity'],
};

const addon_default4 = {
  name: 'card',
  about: 'a picture of a result',
  needs: ['page'],
  formats: [
    {
      name: 'card',
      about: 'a picture of 1200 × 630 pixels to show others, with the main figures and the latency over time',
      extension: '.svg',
      needsCounts: true,
      load: () => import('./addons/card/index.js'),
    },
  ],
};

const addon_default5 = {
  name: 'compare',
  about: 'comparisons of results, and runs that take turns',
  needs: ['capacity', 'history', 'page', 'server'],
  sections: [
    {
      name: 'baseline',
      suits: ({ baseline }) => baseline !== void 0,
      text: { before: 'thresholds' },
      markdown: { before: 'percentiles' },
      load: () => requireHere('./addons/compare/report/baseline.js'),
    },
  ],
  limits: [{ reason: 'regression', option: 'max-regression', of: ({ baseline }) => baseline?.regressions ?? [] }],
  documentTypes: ['comparison'],
  resultKeys: [
    {
      name: 'baseline',
      before: 'confidence',
      schema: () => requireHere('./addons/compare/measure/comparison-schema.js').baselineSchema(),
    },
  ],
};

const addon_default6 = {
  name: 'completion',
  about: 'completion of the command line',
};

const loadOptions = () => (isFile ? requireHere('./addons/export/options.js') : require('./addons/export/options.js'));
const addon_default7 = {
  name: 'export',
  about: 'metrics for Prometheus and OpenTelemetry',
  options: [{ group: 'Results', after: 'expectedInterval', load: () => loadOptions().EXPORTERS }],
  sections: [
    {
      name: 'exports',
      suits: ({ exports: all }) => all !== void 0,
      text: { before: 'files', isFailure: true, isAttached: true },
      markdown: {},
      load: () => requireHere('./addons/export/report/exports.js'),
    },
  ],
  resultKeys: [
    { name: 'exports', after: 'log', schema: () => requireHere('./addons/export/report/exports.js').exportsSchema() },
  ],
  participants: [
    {
      name: 'export',
      suits: (options) => loadOptions().exportersOf(options).length > 0,
      load: () => import('./addons/export/index.js'),
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
  schema: { ...text, description: 'Path of the schema that the query is validated against before the run' },
};
const BODY = {
  name: 'graphql',
  about:
    'query of GraphQL, sent as JSON with variables; the response is parsed as JSON, and its errors are errors: text, or an object with query or file, and operation (the name), persisted (by hash) and schema (a file)',
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
      expected: 'a plain object',
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
const addon_default8 = {
  name: 'graphql',
  about: 'bodies of GraphQL, and errors in responses of GraphQL and JSON-RPC',
  bodies: [{ load: () => BODY }],
  // the last one in documents
  checks: [{ rank: 1, load: () => [CHECK] }],
  faults: [
    {
      load: () => (isFile ? requireHere('./addons/graphql/faults.js') : require('./addons/graphql/faults.js')).faultsOf,
    },
  ],
};

const addon_default9 = {
  name: 'history',
  about: 'results over commits',
  needs: ['compare', 'page'],
  documentTypes: ['history'],
};

const addon_default10 = {
  name: 'http2',
  about: 'HTTP/2',
  sections: [
    {
      name: 'http2',
      suits: ({ http2 }) => http2 !== void 0,
      text: { before: 'latency', isFailure: true },
      markdown: { before: 'traces' },
      load: () => requireHere('./addons/http2/report/http2.js'),
    },
  ],
  httpVersions: [{ name: 'http2', load: () => requireHere('./addons/http2/index.js').openHttp2 }],
};

const HAR = {
  name: 'har',
  about: 'a HAR 1.2 recording of a browser or proxy: its requests to one origin become the operations of main',
  isRecording: true,
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

const TARGETS = ['.txt', '.targets', '.jsonl'];
const textFormat = (name) => ({
  load: async () => ({ read: (await import('./addons/import/formats/imported.js')).readerOf(name) }),
});
const addon_default11 = {
  name: 'import',
  about: 'flows from documents of other tools',
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
  flowTexts: [{ inArgument: ['curl'], load: () => import('./addons/import/formats/imported.js') }],
  dialects: DIALECTS,
};

const addon_default12 = {
  name: 'init',
  about: 'a first flow',
  needs: ['serve'],
};

const addon_default13 = {
  name: 'kubernetes',
  about: 'jobs of Kubernetes',
  needs: ['agents'],
};

const addon_default14 = {
  name: 'loads',
  about: 'several loads in one run',
  loads: [{ load: () => requireHere('./addons/loads/index.js') }],
  sections: [
    {
      name: 'loads',
      suits: ({ loads }) => loads !== void 0,
      text: { before: 'figures', isFailure: true, isLong: true },
      markdown: { before: 'figures' },
      load: () => requireHere('./addons/loads/report/loads.js'),
    },
  ],
  resultKeys: [
    {
      name: 'loads',
      before: 'operations',
      schema: () => requireHere('./addons/loads/measure/loads-schema.js').loadsSchema(),
    },
  ],
};

const addon_default15 = {
  name: 'log',
  about: 'a log of requests',
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
      load: () => requireHere('./addons/log/report/files.js'),
    },
  ],
  resultKeys: [
    { name: 'log', after: 'servers', schema: () => requireHere('./addons/log/report/files.js').logSchema() },
  ],
  requestLogs: [
    {
      suits: ({ log }) => log !== void 0,
      load: async () => (await import('./addons/log/request-log.js')).RequestLog,
    },
  ],
};

const addon_default16 = {
  name: 'mcp',
  about: 'the server for assistants',
  needs: ['agents', 'compare', 'import'],
};

const addon_default17 = {
  name: 'merge',
  about: 'results of several runs as one',
  needs: ['compare', 'loads', 'log', 'server'],
  sections: [
    {
      name: 'shards',
      suits: ({ run }) => run?.shards !== void 0,
      text: { before: 'section', isFailure: true },
      markdown: { after: 'checks' },
      load: () => requireHere('./addons/merge/report/shards.js'),
    },
  ],
};

const addon_default18 = {
  name: 'page',
  about: 'pages with charts',
  needs: ['capacity', 'compare', 'history', 'server'],
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

const addon_default19 = {
  name: 'record',
  about: 'flows from recorded requests',
  needs: ['import'],
};

import { writeMs } from './core/ground/units.js';

const SCREEN = { columns: 100, rows: 30, ms: 5e3 };

const addon_default20 = {
  name: 'screen',
  about: 'the whole screen during a run',
  needs: ['loads'],
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

const addon_default21 = {
  name: 'serve',
  about: 'the embedded target',
};

const loadTarget = () =>
  isFile ? requireHere('./addons/server/options/target.js') : require('./addons/server/options/target.js');
const loadProfile = () =>
  isFile ? requireHere('./addons/server/options/profile.js') : require('./addons/server/options/profile.js');
const addon_default22 = {
  name: 'server',
  about: 'the server under test: its start, its figures and its profile',
  options: [{ group: 'Target', load: () => loadTarget().TARGET }],
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
  conclusions: [
    {
      suits: ({ servers }) => servers !== void 0,
      load: () => requireHere('./addons/server/measure/server-conclusions.js'),
    },
  ],
  resultKeys: [
    {
      name: 'servers',
      after: 'loadGenerators',
      schema: () => requireHere('./addons/server/measure/server-schema.js').serversSchema(),
    },
    { name: 'profiles', schema: () => requireHere('./addons/server/profile/schema.js').profilesSchema() },
  ],
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
};

const TIMES =
  /** @type {const} */
  [
    {
      key: 'firstEvent',
      label: 'first event',
      about: 'from the request to the first event; with a rate, with the wait for a virtual user',
      compared: ['p50', 'p95', 'p99'],
    },
    { key: 'gap', label: 'gap', about: 'between an event and the next one', compared: ['p50', 'p99'] },
    {
      key: 'meanGap',
      label: 'mean gap',
      about: 'the mean of each stream between its events, or what it counts',
      compared: ['p50', 'p95'],
    },
    {
      key: 'duration',
      label: 'duration',
      about: 'from the head of the response to the end of its stream',
      compared: [],
    },
  ];
const SERIES =
  /** @type {const} */
  ['firstEvent', 'gap'];
const COUNTS =
  /** @type {const} */
  [
    { key: 'count', unit: '', about: 'streams that have begun' },
    { key: 'events', unit: '', rate: 'eventRate', about: 'events' },
    { key: 'bytes', unit: 'B', about: 'bytes of the streams' },
    { key: 'counted', unit: '', rate: 'countedRate', about: 'the sum of what the streams count', isOptional: true },
    { key: 'reconnects', unit: '', about: 'connections after the first one of a stream', isOptional: true },
  ];

const addon_default23 = {
  name: 'streams',
  about: 'responses that are streams',
  sections: [
    {
      name: 'streams',
      suits: ({ operations }) => operations.some(({ stream }) => stream !== void 0),
      text: { before: 'latency', isFailure: true },
      markdown: { after: 'traces' },
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
};

const addon_default24 = {
  name: 'undici',
  about: 'the HTTP client of undici',
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

const addon_default25 = {
  name: 'websocket',
  about: 'WebSocket',
  protocols: [
    {
      scheme: 'ws',
      load: () =>
        (isFile ? requireHere('./addons/websocket/flow/index.js') : require('./addons/websocket/flow/index.js'))
          .WEB_SOCKET,
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
];
joinAddons(import.meta.url, ADDONS);
export { ADDONS };
