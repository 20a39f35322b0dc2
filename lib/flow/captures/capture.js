import { nearestOrAll } from '../../ground/problems.js';
import { shortened, typeName } from '../../text/format-value.js';
import { describedSchemas } from '../checks/expected.js';
import { isRecord } from '../record.js';
import { refuseName } from '../tokens/check-tokens.js';
import { hasToken, hasTokenInPattern } from '../tokens/token-use.js';
import { CAPTURES } from './index.js';

/** @import { Capture } from '../../contracts/expectation.js' */
/** @import { Needs } from '../../contracts/response.js' */
/** @import { Operation } from '../../contracts/step.js' */
/** @import { Complain } from '../../ground/problems.js' */
/** @import { Refusal } from '../checks/index.js' */
/** @import { Property } from '../properties.js' */

/** Characters of an argument in a message. */
const LONGEST = 100;
const NAMES = CAPTURES.map(({ name }) => name);
const ONE = `a JSONPath such as '$.id', or an object with ${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`;

const SCHEMA_OF_ONE = {
  description: "Where the value is: a JSONPath such as '$.id', or one of the properties of an object",
  oneOf: [
    { type: 'string', pattern: '^\\$' },
    {
      type: 'object',
      properties: {
        ...describedSchemas(CAPTURES),
        default: {
          description:
            'Value if the response has none; without it, the operation fails with an error of the kind capture',
        },
      },
      additionalProperties: false,
      oneOf: NAMES.map((name) => ({ required: [name] })),
    },
  ],
};

/** The property `capture` of operations. @type {Property} */
export const CAPTURE = {
  type: `Record<string, string | { ${CAPTURES.map(({ name, type }) => `${name}?: ${type}`).join(', ')}, default?: unknown }>`,
  check: isRecord,
  expected: "an object such as { id: '$.id' }",
  refuse: refuseCaptures,
  schema: { type: 'object', propertyNames: { pattern: '^\\w+$' }, additionalProperties: SCHEMA_OF_ONE },
  about:
    'values to take from the response, each under the name of a token: a JSONPath, or { header }, { cookie }, { status } or { text }; with a default if it may be missing',
};

/** @type {(captures: any) => Refusal[]} */
function refuseCaptures(captures) {
  if (!isRecord(captures)) return [];
  return Object.entries(captures).flatMap(([name, value]) => {
    const reason = refuseName(name);
    const refusals = reason ? [{ at: '', reason }] : refuseValue(value);
    return refusals.map(({ at = '', reason: why }) => ({ at: `.${name}${at}`, reason: why }));
  });
}

/** @type {(value: any) => Refusal[]} */
function refuseValue(value) {
  if (typeof value === 'string') return refuseArgument('json', value);
  if (!isRecord(value)) return [{ reason: `expected ${ONE}, got ${typeName(value)}` }];
  const keys = Object.keys(value).filter((key) => key !== 'default');
  const unknown = keys.find((key) => !NAMES.includes(key));
  if (unknown !== undefined)
    return [{ at: `.${unknown}`, reason: `unknown property${nearestOrAll(unknown, [...NAMES, 'default'])}` }];
  if (keys.length !== 1)
    return [{ reason: `has ${keys.join(' and ') || 'no place'}: write one of ${NAMES.join(', ')}` }];
  const [key] = keys;
  const refusals = refuseArgument(key, value[key]).map(({ reason }) => ({ at: `.${key}`, reason }));
  return hasToken(JSON.stringify(value.default) ?? '')
    ? [...refusals, { at: '.default', reason: HAS_TOKEN }]
    : refusals;
}

/** @type {(name: string, argument: any) => Refusal[]} */
function refuseArgument(name, argument) {
  const { check, expected, compile } = /** @type {typeof CAPTURES[0]} */ (
    CAPTURES.find((entry) => entry.name === name)
  );
  if (!check(argument)) return [{ reason: `expected ${expected}, got ${typeName(argument)}` }];
  if (hasTokenInPattern(argument instanceof RegExp ? argument.source : String(argument)))
    return [{ reason: HAS_TOKEN }];
  try {
    compile(argument);
    return [];
  } catch (error) {
    return [{ reason: `${shortened(String(argument), LONGEST)} ${/** @type {Error} */ (error).message}` }];
  }
}

const HAS_TOKEN = 'has a token, and tokens are not replaced here: use an after-hook that sets all.vars';

/**
 * Compiles `capture` of a valid operation. Messages have no status and no header to capture (`areMessages`).
 * @type {(operation: Operation, context: { where: string, complain: Complain, areMessages?: boolean }) => { captures:
 *   Capture[], reads: Needs[] }}
 */
export function compileCaptures({ capture = {} }, { where, complain, areMessages = false }) {
  const all = Object.entries(capture).map(([name, given]) => {
    const value = typeof given === 'string' ? { json: given } : /** @type {Record<string, unknown>} */ (given);
    const entry = /** @type {typeof CAPTURES[0]} */ (CAPTURES.find((one) => value[one.name] !== undefined));
    if (areMessages && !entry.hasMessages)
      complain(`capture.${name}`, `${entry.name}: a message has none, write json or text`);
    return {
      reads: entry.reads,
      capture: {
        name,
        where: `${where}.capture.${name}`,
        ...entry.compile(value[entry.name]),
        fallback: value.default === undefined ? null : { value: value.default },
      },
    };
  });
  return { captures: all.map(({ capture }) => capture), reads: all.map(({ reads }) => reads) };
}

/**
 * Lists the names that an entry of a phase, an operation or `{ oneOf }`, captures, with their places.
 * @type {(entry: any, where: string) => [name: string, where: string][]}
 */
export function capturedBy(entry, where) {
  if (Array.isArray(entry?.oneOf))
    return entry.oneOf.flatMap((/** @type {any} */ one, /** @type {number} */ i) =>
      capturedBy(one, `${where}.oneOf[${i}]`),
    );
  const { capture } = entry ?? {};
  if (typeof capture !== 'object' || capture === null) return [];
  return Object.keys(capture).map((name) => [name, `${where}.capture.${name}`]);
}
