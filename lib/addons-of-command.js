// @ts-nocheck: scripts/addons.js writes this module of what add-ons offer, by npm run generate
const { createRequire } = process.getBuiltinModule('node:module');
const requireHere = createRequire(import.meta.url);
const isFile = /\/lib\/addons(-of-command)?\.js$/.test(import.meta.url);
import './addons.js';

const ofCommand = {
  runners: [
    {
      suits: (names) => names.some((name) => name.startsWith('agents')),
      load: () => import('./addons/agents/agent-options.js'),
    },
  ],
  commands: [
    {
      name: 'agent',
      about: 'wait on a queue, and run shards of the runs that bench-rest --agents submits',
      topic: 'runs',
      load: () => import('./addons/agents/command.js'),
    },
  ],
};

const ofCommand2 = {
  commands: [
    {
      name: 'capacity',
      about: 'find the highest arrival rate at which the thresholds hold',
      topic: 'runs',
      takesWords: true,
      load: () => import('./addons/capacity/command.js'),
    },
  ],
  documents: [
    {
      async load() {
        const { readCapacity: read, reportCapacity: report } = await import('./addons/capacity/capacities.js');
        return { read, report };
      },
    },
  ],
};

const REGRESSION_FLAGS = [
  {
    flag: '--max-regression <share>',
    about:
      'exit with 99 if a figure is significantly worse, by more than this, such as p99=10%, or 10% for all; repeatable',
    repeatable: true,
  },
  {
    flag: '--noise <share>',
    about:
      'how much runs of an unchanged service differ (standard deviation), such as p99=8%, or 4% for all; repeatable',
    repeatable: true,
  },
  {
    flag: '--history <folder>',
    isExperimental: true,
    about: 'earlier results of this flow, which show how much runs of an unchanged service differ',
  },
];
function regressionOptions({ maxRegression = [], noise = [], history }) {
  return { maxRegression, noise, ...(history !== void 0 && { history }) };
}

const ofCommand3 = {
  companions: [
    {
      name: 'baseline',
      group: 'Checks',
      flags: () => [
        {
          flag: '--baseline <file>',
          inHelp: 'common',
          about: 'compare with this saved result: every report shows the changes',
        },
        ...REGRESSION_FLAGS,
      ],
      read({ baseline, ...options }, { refuse }) {
        const given = regressionOptions(options);
        if (baseline !== void 0) return { baseline, ...given };
        const [flag] = [
          ...(given.maxRegression.length > 0 ? ['--max-regression'] : []),
          ...(given.noise.length > 0 ? ['--noise'] : []),
          ...(given.history !== void 0 ? ['--history'] : []),
        ];
        if (flag !== void 0) refuse(`${flag} needs --baseline, the saved result to compare with`);
        return null;
      },
      load: () => import('./addons/compare/companion.js'),
    },
  ],
  commands: [
    {
      name: 'compare',
      about: 'compare two saved results, and test whether the difference is significant',
      topic: 'results',
      load: () => import('./addons/compare/commands/compare.js'),
    },
    {
      name: 'ab',
      about: 'run two flows, or one flow against two services, in turn and compare them',
      topic: 'runs',
      takesWords: true,
      load: () => import('./addons/compare/commands/ab.js'),
    },
  ],
};

const ofCommand4 = {
  commands: [
    {
      name: 'completion',
      about: 'print a completion script for bash, zsh or fish',
      topic: 'words',
      load: () => import('./addons/completion/command.js'),
    },
  ],
};

const ofCommand5 = {
  urlFlags: [
    {
      name: 'grpc',
      flag: '--grpc <method>',
      about: 'method of gRPC that a server is asked for: shop.Orders/Create; -b is the message, -H metadata',
      read: (text) =>
        (isFile ? requireHere('./addons/grpc/flow/urls.js') : require('./addons/grpc/flow/urls.js')).readMethod(text),
      urlOf: (server, method) =>
        (isFile ? requireHere('./addons/grpc/flow/urls.js') : require('./addons/grpc/flow/urls.js')).urlOf(
          server,
          method,
        ),
      example: 'bench-rest -n 1000 --grpc shop.Orders/Create localhost:50051',
    },
    {
      name: 'proto',
      flag: '--proto <file>',
      about: '.proto file of --grpc, or a set of descriptors (default: the server is asked by reflection); repeatable',
      read: (text, earlier = []) => [...earlier, text],
    },
  ],
  listings: [
    {
      scheme: 'grpc',
      about: 'the URL of a gRPC server, or of a method, whose message is printed',
      load: () => import('./addons/grpc/list.js'),
    },
  ],
};

const ofCommand6 = {
  commands: [
    {
      name: 'history',
      about: 'print how saved results changed over commits, and test where they changed',
      topic: 'results',
      load: () => import('./addons/history/command.js'),
    },
  ],
};

const ofCommand7 = {
  commands: [
    {
      name: 'import',
      about: 'write a flow from curl commands, and from documents of other tools',
      topic: 'flows',
      load: () => import('./addons/import/command.js'),
    },
  ],
};

const ofCommand8 = {
  commands: [
    {
      name: 'init',
      about: 'write a first flow, an npm script and a GitHub workflow, or an add-on; existing files are left alone',
      topic: 'flows',
      load: () => import('./addons/init/command.js'),
    },
  ],
};

const ofCommand9 = {
  commands: [
    {
      name: 'k8s',
      about: 'print an Indexed Job of Kubernetes that runs a flow on many pods, one shard each',
      topic: 'runs',
      load: () => import('./addons/kubernetes/command.js'),
    },
  ],
};

const ofCommand10 = {
  commands: [
    {
      name: 'list',
      about: 'list what can be used by name: hooks, tokens, formats and others',
      topic: 'words',
      rank: -1,
      load: () => import('./addons/lists/command.js'),
    },
  ],
};

const ofCommand11 = {
  liveTexts: [
    { name: 'loads', suits: ({ loads }) => loads !== void 0, load: () => requireHere('./addons/loads/report/live.js') },
  ],
  separators: [{ word: '+', load: () => requireHere('./addons/loads/further-loads.js') }],
};

const ofCommand12 = {
  commands: [
    {
      name: 'mcp',
      about:
        'let an assistant check, run and explain flows, by the Model Context Protocol on standard input and output',
      topic: 'runs',
      load: () => import('./addons/mcp/command.js'),
    },
  ],
};

const ofCommand13 = {
  commands: [
    {
      name: 'merge',
      about: 'merge saved results, or logs of requests: shards of one run, or runs of several machines',
      topic: 'results',
      load: () => import('./addons/merge/command.js'),
    },
  ],
};

const ofCommand14 = {
  urlFlags: [
    {
      name: 'form',
      flag: '-F, --form <field>',
      inHelp: 'common',
      about: "multipart/form-data of a URL: 'name=value' or 'name=@file;type=…;filename=…'; repeatable",
      isSecret: true,
      read: (text, earlier) => requireHere('./addons/multipart/form-flag.js').read(text, earlier),
      propertiesOf: (...given) => requireHere('./addons/multipart/form-flag.js').propertiesOf(...given),
    },
  ],
};

import { HIGHEST_PORT } from './core/ground/units.js';
const ofCommand15 = {
  companions: [
    {
      name: 'dashboard',
      group: 'Results',
      flags: () => [
        {
          flag: '--dashboard [port]',
          inHelp: 'common',
          about: 'serve the HTML report live on 127.0.0.1 during the run (default: any free port)',
          read: Number,
          check: (v) => Number.isInteger(v) && v >= 0 && v <= HIGHEST_PORT,
          expected: `a port from 0 to ${HIGHEST_PORT}`,
          implied: { text: '0', values: /^\d+$/, expected: 'a port' },
        },
      ],
      read: ({ dashboard = null }) => dashboard,
      load: () => import('./addons/page/dashboard.js'),
    },
  ],
};

const ofCommand16 = {
  previews: [
    {
      name: 'printConfig',
      flag: '--print-config',
      about: 'print every option and where its value comes from',
      load: async () => (await import('./addons/preview/print-run.js')).printConfig,
    },
    {
      name: 'printPlan',
      flag: '--print-plan',
      about: 'check flow and options, and draw the load over time; nothing is sent',
      inHelp: 'common',
      load: async () => (await import('./addons/preview/print-run.js')).printPlan,
    },
  ],
};

const ofCommand17 = {
  commands: [
    {
      name: 'record',
      about: 'write a flow from the requests of a test suite, a program, or a browser',
      topic: 'flows',
      takesWords: true,
      load: () => import('./addons/record/command.js'),
    },
  ],
};

const ofCommand18 = {
  commands: [
    {
      name: 'report',
      about: 'print a saved result, or convert it to other formats',
      topic: 'results',
      rank: -1,
      load: () => import('./addons/saved/command.js'),
    },
  ],
};

import { DELAYS, HIGHEST_PORT as HIGHEST_PORT2, readDelay, refuseBareTime } from './core/ground/units.js';
const targetFlags = (defaultPort, prefix = '') => [
  {
    flag: `--${prefix}port <n>`,
    about: `port of the embedded target (default: ${defaultPort})`,
    ...wholeNumber(0, HIGHEST_PORT2),
  },
  {
    flag: `--${prefix}delay <time>`,
    about: 'delay of every response: 20ms, a range, 10ms,50ms, or either with a slow tail, 20ms,1%:500ms',
    // The text is kept: the target reads it, too
    check: (text) => readDelay(text) !== null,
    expected: DELAYS,
    refuseText: refuseBareTime,
  },
  {
    flag: `--${prefix}error <status>`,
    about: `status code of failing responses (default with --${prefix}percent: 500)`,
    ...wholeNumber(200, 599),
  },
  {
    flag: `--${prefix}percent <n>`,
    about: 'percentage of responses that fail (default: 100)',
    read: Number,
    check: (v) => v >= 0 && v <= 100,
    expected: 'a number from 0 to 100',
  },
];
function wholeNumber(from, to) {
  return {
    read: Number,
    check: (v) => Number.isInteger(v) && v >= from && v <= to,
    expected: `a whole number from ${from} to ${to}`,
  };
}

const ofCommand19 = {
  companions: [
    {
      name: 'serve',
      group: 'Server',
      isTarget: true,
      refusedElsewhere: 'starts a target that agents on other machines cannot reach',
      flags: () => [
        {
          flag: '--serve',
          inHelp: 'common',
          about: 'start the embedded target for this run, as base URL of relative URLs',
        },
        ...targetFlags('any free port', 'serve-'),
      ],
      read({ serve, baseUrl, seed, ...options }, { runOptions, flows, refuse }) {
        const { servePort: port, serveDelay: delay, serveError: error, servePercent: percent } = options;
        const own = { port, delay, error, percent };
        const [unused] = Object.entries(own).find(([, value]) => value !== void 0) ?? [];
        if (serve && runOptions.start !== void 0) refuse('use either --serve or --start, not both');
        if (serve && baseUrl !== void 0) refuse('use either --serve or --base-url, not both');
        const url = flows.find((text) => /^https?:/i.test(text));
        if (serve && url) refuse(`--serve starts a target of its own, and ${url} is elsewhere: use a path such as /`);
        if (!serve && unused) refuse(`--serve-${unused} is an option of --serve; add --serve`);
        return serve ? { ...own, seed: typeof seed === 'number' ? seed : void 0 } : null;
      },
      load: () => import('./addons/serve/thread.js'),
    },
  ],
  commands: [
    {
      name: 'serve',
      about: 'start the embedded REST target and serve until Ctrl-C',
      topic: 'flows',
      load: () => import('./addons/serve/command.js'),
    },
  ],
};

const ofCommand20 = {
  liveTexts: [
    {
      name: 'server',
      before: 'loads',
      suits: ({ servers = [] }) => servers.some(({ source }) => source === 'process'),
      load: () => requireHere('./addons/server/report/live.js'),
    },
  ],
  keepers: [{ name: 'server', load: () => requireHere('./addons/server/server-keeper.js') }],
};

const ofCommand21 = {
  liveTexts: [
    {
      name: 'streams',
      suits: ({ series: { operations = [] } }) => operations.some(({ points }) => points.at(-1)?.stream !== void 0),
      load: () => requireHere('./addons/streams/report/live.js'),
    },
  ],
};

import { joinAddons } from './core/ground/addons.js';
joinAddons(import.meta.url, [
  { ...ofCommand, isExperimental: true },
  { ...ofCommand2, isExperimental: true },
  ofCommand3,
  { ...ofCommand4, isExperimental: true },
  { ...ofCommand5, isExperimental: true },
  { ...ofCommand6, isExperimental: true },
  { ...ofCommand7, isExperimental: true },
  { ...ofCommand8, isExperimental: true },
  { ...ofCommand9, isExperimental: true },
  ofCommand10,
  { ...ofCommand11, isExperimental: true },
  { ...ofCommand12, isExperimental: true },
  { ...ofCommand13, isExperimental: true },
  ofCommand14,
  { ...ofCommand15, isExperimental: true },
  ofCommand16,
  { ...ofCommand17, isExperimental: true },
  ofCommand18,
  { ...ofCommand19, isExperimental: true },
  { ...ofCommand20, isExperimental: true },
  { ...ofCommand21, isExperimental: true },
]);
