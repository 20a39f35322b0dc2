import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** Most flows have no GraphQL. @type {() => typeof import('./graphql.js')} */
const loadGraphql = () => requireHere('./graphql.js');
/** @type {() => typeof import('../../core/flow/record.js')} */
const loadRecord = () => requireHere('../../core/flow/record.js');

const text = { type: 'string', minLength: 1 };

/** The members of `graphql`, as JSON Schemas. */
const MEMBERS = {
  query: { ...text, description: 'Text of the query' },
  file: { ...text, description: 'Path of its file' },
  operation: { ...text, description: 'Name of the operation, if the text has several' },
  persisted: {
    type: 'boolean',
    description: 'Send the SHA-256 hash instead of the text, which is sent if the server asks for it',
  },
};

/** @type {import('../../core/flow/bodies/types.js').BodyEntry} */
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
      isOwn: (_, { graphql }) => graphql === undefined,
      remark: 'is for a GraphQL query: write graphql beside it',
      schema: { type: 'object' },
      about: 'variables of a GraphQL query: they may have tokens and functions, as json may',
    },
  },
  readers: {
    stream: {
      kind: 'sse',
      rulesOf: (/** @type {import('../../core/contracts/step.js').Operation} */ operation) =>
        loadGraphql().eventRules(operation),
    },
  },
  compile: (value, context) => loadGraphql().compileGraphql(value, context, MEMBERS),
};

/** @type {import('../../core/flow/checks/types.js').CheckEntry} */
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

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'graphql',
  about: 'bodies of GraphQL, and errors in responses of GraphQL and JSON-RPC',
  isExperimental: true,
  bodies: [{ load: () => BODY }],
  // the last one in documents
  checks: [{ rank: 1, load: () => [CHECK] }],
  // after the challenge of a server, which repeats the request as it is
  middleware: [{ rank: 1, load: () => requireNow('./resend.js').RESEND }],
  faults: [{ load: () => requireNow('./faults.js').faultsOf }],
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
