import { EXPECTATION_SCHEMA } from '../lib/core/flow/checks/index.js';
import { COMPARISONS_SCHEMA } from '../lib/core/flow/comparisons.js';
import { DEFINITION } from '../lib/core/flow/data/open-feeders.js';
import { FLOW_PROPERTIES } from '../lib/core/flow/normalize.js';
import { METHOD_KEYS, PROPERTIES } from '../lib/core/flow/properties.js';
import { HTTP, PROTOCOLS } from '../lib/core/flow/protocols/index.js';
import { SCENARIO_PROPERTIES } from '../lib/core/flow/scenarios.js';
import { schemaUrl } from '../lib/core/ground/package.js';
import { TIME_TEXT } from '../lib/core/ground/units.js';
import { HOOKS } from '../lib/core/hooks/index.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { LOAD_OPTIONS } from '../lib/core/run/options/load.js';
import { markedRows } from './experimental.js';
import { sentence } from './text.js';

/** The JSON Schema of flows, for editors. @returns {string} */
export function flowSchema() {
  return JSON.stringify({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrl('flow.schema.json'),
    title: 'A bench-rest flow in JSON or YAML',
    description:
      'For completion and a first check in editors. bench-rest itself checks more and explains every problem.',
    oneOf: [{ type: 'string' }, ref('operation'), ref('choice'), ref('operations'), ref('phases')],
    $defs: {
      operation: {
        type: 'object',
        properties: described(markedRows('operations', PROPERTIES)),
        additionalProperties: false,
        oneOf: URL_KEYS.map((key) => ({
          required: [key],
          not: { anyOf: URL_KEYS.filter((other) => other !== key).map((other) => ({ required: [other] })) },
        })),
        ...PROTOCOLS.reduce(withOwnMeanings, { properties: described(HTTP.properties) }),
      },
      choice: {
        type: 'object',
        required: ['oneOf'],
        properties: {
          oneOf: {
            type: 'array',
            items: { oneOf: [{ type: 'string' }, ref('operation')] },
            minItems: 1,
            description: 'Each iteration performs one of these operations: in turn, or by their weight',
          },
        },
        additionalProperties: false,
      },
      operations: { type: 'array', items: { oneOf: [{ type: 'string' }, ref('operation'), ref('choice')] } },
      phases: {
        type: 'object',
        oneOf: [
          { required: ['main'], not: { required: ['scenarios'] } },
          { required: ['scenarios'], not: { required: ['main'] } },
        ],
        additionalProperties: false,
        properties: described(FLOW_PROPERTIES),
      },
      scenarios: { type: 'object', minProperties: 1, additionalProperties: ref('scenario') },
      scenario: {
        type: 'object',
        required: ['main'],
        properties: described(markedRows('scenarios', SCENARIO_PROPERTIES)),
        additionalProperties: false,
      },
      runOptions: { type: 'object', properties: described(runOptions()), additionalProperties: false },
      load: { type: 'object', properties: described(loadOptions()), additionalProperties: false },
      ...SHARED,
    },
  });
}

const URL_KEYS = METHOD_KEYS.filter((key) => key !== 'method' && PROPERTIES[key].schema !== null);

/**
 * The properties of HTTP alone, which operations of another protocol have with another meaning, or not at all.
 *
 * @param {object} others the schema of all other operations
 * @param {import('../lib/core/flow/protocols/types.js').Protocol} protocol
 * @returns {object}
 */
function withOwnMeanings(others, { key, properties }) {
  // Without a schema, JSON cannot express it.
  if (key === null || properties[key].schema === null) return others;
  const own = described(markedRows('operations', properties));
  const then = Object.keys(HTTP.properties).map((name) => [
    name,
    own[name] ?? { not: {}, description: `For HTTP, not for ${key}` },
  ]);
  return { if: { required: [key] }, then: { properties: Object.fromEntries(then) }, else: others };
}

/** @type {(name: string) => { $ref: string }} */
const ref = (name) => ({ $ref: `#/$defs/${name}` });
const oneOrMoreTexts = { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

const tlsMaterial = {
  oneOf: [
    { type: 'string', minLength: 1 },
    {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', description: 'Path of the file' } },
      additionalProperties: false,
    },
  ],
};

const SHARED = {
  feeder: {
    oneOf: [
      { type: 'string', minLength: 1, description: DEFINITION.file.about },
      DEFINITION.rows.schema,
      {
        type: 'object',
        properties: described(DEFINITION),
        additionalProperties: false,
        oneOf: [{ required: ['file'] }, { required: ['rows'] }],
      },
    ],
  },
  stage: {
    type: 'object',
    required: ['duration'],
    properties: {
      duration: { ...ref('time'), description: 'Length of the stage' },
      rate: { ...ref('rate'), description: 'Arrival rate at the end of the stage, per second' },
      limit: { ...ref('count'), description: 'Number of virtual users at the end of the stage' },
      ramp: { type: 'boolean', description: 'false: a step to the value instead of a ramp', default: true },
      steps: { type: 'integer', minimum: 1, maximum: 1000, description: 'The ramp rises or falls in this many steps' },
    },
    additionalProperties: false,
  },
  stageFile: {
    type: 'object',
    required: ['file'],
    properties: {
      file: { type: 'string', minLength: 1, description: 'CSV file with the columns time, and rate or count' },
    },
    additionalProperties: false,
  },
  warmup: {
    type: 'object',
    required: ['duration'],
    properties: {
      duration: { ...ref('time'), description: 'Length of the warm-up' },
      limit: { ...ref('count'), description: 'Virtual users of the warm-up; default: those of the run' },
    },
    additionalProperties: false,
  },
  expectation: EXPECTATION_SCHEMA,
  comparisons: COMPARISONS_SCHEMA,
  hooks: { type: 'array', items: { enum: HOOKS.map(({ name }) => name) } },
  fields: {
    type: 'object',
    additionalProperties: {
      oneOf: [
        { type: ['string', 'number', 'boolean', 'null'] },
        { type: 'array', items: { type: ['string', 'number'] } },
      ],
    },
  },
  cookies: {
    oneOf: [
      { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
      ...oneOrMoreTexts.oneOf,
    ],
  },
  thresholds: {
    oneOf: [...oneOrMoreTexts.oneOf, { type: 'object', additionalProperties: oneOrMoreTexts }],
  },
  time: {
    description: 'Milliseconds, or a text such as 30s, 2m or 1h30m',
    oneOf: [
      { type: 'number', minimum: 0 },
      { type: 'string', pattern: TIME_TEXT },
    ],
  },
  rate: {
    description: 'Per second, or a text such as 30/m',
    oneOf: [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'string', pattern: '^\\s*\\d' },
    ],
  },
  count: {
    description: 'A whole number from 1, or a text such as 10k',
    oneOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', pattern: '^\\s*\\d' },
    ],
  },
  tlsMaterial: {
    description: 'PEM text or the path of a file, { file: path }, or an array of them',
    oneOf: [tlsMaterial, { type: 'array', items: tlsMaterial, minItems: 1 }],
  },
  pause: {
    oneOf: [
      ref('time'),
      { type: 'array', items: ref('time'), minItems: 2, maxItems: 2 },
      { type: 'string', pattern: ',' },
      {
        type: 'object',
        required: ['mean', 'dev'],
        properties: {
          mean: { ...ref('time'), description: 'Mean of a normal distribution; negative times become 0' },
          dev: { ...ref('time'), description: 'Standard deviation' },
        },
        additionalProperties: false,
      },
    ],
  },
};

/** Without those that JSON cannot express. @type {(rows: Record<string, { about: string, schema: object | null, default?: unknown }>) => Record<string, object>} */
function described(rows) {
  const expressible = Object.entries(rows).filter(([, { schema }]) => schema !== null);
  return Object.fromEntries(
    expressible.map(([name, { about, schema, default: value }]) => [
      name,
      { ...schema, description: sentence(about), ...(value !== undefined && { default: value }) },
    ]),
  );
}

/** Those that a scenario can have by itself; the defaults are those of the run. @returns {Record<string, any>} */
function loadOptions() {
  const rows = RUN_OPTIONS.filter(({ name }) => LOAD_OPTIONS.includes(name));
  return Object.fromEntries(rows.map(({ name, about, schema }) => [name, { about, schema }]));
}

/** Those that JSON can express, with the defaults of the command. @returns {Record<string, any>} */
function runOptions() {
  const rows = RUN_OPTIONS.filter(({ schema, reaches }) => schema !== null && reaches === undefined);
  return Object.fromEntries(
    rows.map(({ name, about, schema, default: value, commandDefault = value }) => [
      name,
      { about, schema, default: commandDefault },
    ]),
  );
}
