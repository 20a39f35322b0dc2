import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** Most flows have no measured calls. @type {() => typeof import('./steps.js')} */
const loadSteps = () => requireHere('./steps.js');

/**
 * Calls that the flow makes with clients of its own: of a database, a queue, another protocol.
 * @type {import('../../core/flow/protocols/types.js').OfferedProtocol}
 */
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
      isOwn: (_, { measure }) => measure === undefined,
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
  loadClient: () => import('./client.js'),
};

/** @type {import('../../core/addon.js').Addon} */
export default {
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
            requests.abandoned !== undefined || operations.some(({ protocol }) => protocol === 'measure'),
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
