// @ts-nocheck: scripts/addons.js writes this module from lib/addons/*/addon.js, by npm run generate
import { createRequire } from 'node:module';
const requireHere = createRequire(import.meta.url);
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

const ofCommand3 = {
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
  commands: [
    {
      name: 'history',
      about: 'print how saved results changed over commits, and test where they changed',
      topic: 'results',
      load: () => import('./addons/history/command.js'),
    },
  ],
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
const addon_default = {
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
const ofCommand6 = {
  commands: [
    {
      name: 'import',
      about: 'write a flow from curl commands, and from documents of other tools',
      topic: 'flows',
      load: () => import('./addons/import/command.js'),
    },
  ],
};

const ofCommand7 = {
  commands: [
    {
      name: 'init',
      about: 'write a first flow, an npm script and a GitHub workflow; existing files are left alone',
      topic: 'flows',
      load: () => import('./addons/init/command.js'),
    },
  ],
};

const ofCommand8 = {
  commands: [
    {
      name: 'k8s',
      about: 'print an Indexed Job of Kubernetes that runs a flow on many pods, one shard each',
      topic: 'runs',
      load: () => import('./addons/kubernetes/command.js'),
    },
  ],
};

const ofCommand9 = {
  separators: [{ word: '+', load: () => requireHere('./addons/loads/load-parts.js') }],
};

const ofCommand10 = {
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

const ofCommand11 = {
  commands: [
    {
      name: 'merge',
      about: 'merge saved results, or logs of requests: shards of one run, or runs of several machines',
      topic: 'results',
      load: () => import('./addons/merge/command.js'),
    },
  ],
};

const ofCommand12 = {
  commands: [
    {
      name: 'record',
      about: 'write a flow from the requests that a program, or a browser, sends through a proxy',
      topic: 'flows',
      takesWords: true,
      load: () => import('./addons/record/command.js'),
    },
  ],
};

const ofCommand13 = {
  commands: [
    {
      name: 'serve',
      about: 'start the embedded REST target and serve until Ctrl-C',
      topic: 'flows',
      load: () => import('./addons/serve/command.js'),
    },
  ],
};

import { joinAddons } from './core/ground/addons.js';
joinAddons(import.meta.url, [
  ofCommand,
  ofCommand2,
  ofCommand3,
  ofCommand4,
  ofCommand5,
  ofCommand6,
  ofCommand7,
  ofCommand8,
  ofCommand9,
  ofCommand10,
  ofCommand11,
  ofCommand12,
  ofCommand13,
]);
