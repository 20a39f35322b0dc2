import { createRequire } from 'node:module';

import { isPlainObject } from '../../core/flow/record.js';
import { nearestOrAll } from '../../core/ground/problems.js';
import { readMs, writeMs } from '../../core/ground/units.js';
import { thresholdTexts } from '../../core/run/options/checks.js';
import { formatValue } from '../../core/text/format-value.js';
import { retryAfterMs } from './retry-after.js';

/** @import { Retry } from '../../core/contracts/step.js' */
/** @import { Refusal } from '../../core/flow/checks/types.js' */
/** @import { Property, RetryEntry } from '../../core/flow/types.js' */
/** @import { RunOption } from '../../core/run/options/types.js' */

const requireHere = createRequire(import.meta.url);

/** A flow is fitted when it is compiled. @type {() => typeof import('../../core/flow/origins.js')} */
const loadOrigins = () => requireHere('../../core/flow/origins.js');

/** The name of the property of operations, and of the run option. */
const NAME = 'retryAfter';

const time = {
  ...{ type: 'number | string', schema: { $ref: '#/$defs/time' }, expected: "a time above 0, such as '30s'" },
  check: (/** @type {any} */ value) => readMs(value) > 0,
};
/** Statuses of errors. */
const STATUS = { type: 'integer', minimum: 400, maximum: 599 };
/** @type {(value: any) => boolean} */
const isStatus = (value) => Number.isInteger(value) && value >= STATUS.minimum && value <= STATUS.maximum;

/** The members of a policy, with their defaults. */
const MEMBERS = {
  statuses: {
    type: 'number[]',
    schema: { type: 'array', items: STATUS, minItems: 1 },
    check: (/** @type {unknown} */ value) => Array.isArray(value) && value.length > 0 && value.every(isStatus),
    expected: `a list of statuses from ${STATUS.minimum} to ${STATUS.maximum}, such as [429, 503]`,
    about: 'of responses that are waited for',
    default: [429, 503],
  },
  attempts: {
    type: 'number',
    schema: { type: 'integer', minimum: 2 },
    check: (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) > 1,
    expected: 'a whole number from 2',
    about: 'how often a request is sent in all',
    default: 5,
  },
  first: {
    ...{ ...time, default: '1s' },
    about: 'the wait after the first response without Retry-After, which doubles after each further one',
  },
  longest: {
    ...{ ...time, default: '30s' },
    about: 'longest wait: a response that asks for a longer one is the last',
  },
  jitter: {
    type: 'number',
    schema: { type: 'number', minimum: 0, maximum: 1 },
    check: (/** @type {unknown} */ value) => typeof value === 'number' && value >= 0 && value <= 1,
    expected: 'a share from 0 to 1',
    about: 'share of the wait that is added at random at most',
    default: 0.1,
  },
};

const POLICY_TYPE = `{ ${Object.entries(MEMBERS)
  .map(([name, { type }]) => `${name}?: ${type}`)
  .join(', ')} }`;
const VALUE = {
  type: `boolean | ${POLICY_TYPE}`,
  check: (/** @type {unknown} */ value) => typeof value === 'boolean' || isPlainObject(value),
  expected: 'true, false, or a policy such as { attempts: 3 }',
  schema: {
    oneOf: [
      { type: 'boolean' },
      {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(MEMBERS).map(([name, { schema, about, default: usual }]) => [
            name,
            { ...schema, description: about, default: usual },
          ]),
        ),
        additionalProperties: false,
      },
    ],
  },
};

/** @type {(value: any) => Refusal[]} */
function refusePolicy(value) {
  if (!isPlainObject(value)) return [];
  const refused = Object.entries(value).flatMap(([name, member]) => {
    const row = Object.hasOwn(MEMBERS, name) ? MEMBERS[/** @type {keyof typeof MEMBERS} */ (name)] : null;
    if (row === null)
      return [{ at: `.${name}`, reason: `unknown property${nearestOrAll(name, Object.keys(MEMBERS))}` }];
    if (member === undefined || row.check(member)) return [];
    return [{ at: `.${name}`, reason: `expected ${row.expected}, got ${formatValue(member)}` }];
  });
  const { first = 0, longest = MEMBERS.longest.default } = value;
  if (refused.length > 0 || readMs(first) <= readMs(longest)) return refused;
  const reason = `expected at most longest, ${writeMs(readMs(longest))}, got ${writeMs(readMs(first))}`;
  return [{ at: '.first', reason }];
}

/** @type {Property} */
const PROPERTY = {
  ...VALUE,
  refuse: refusePolicy,
  default: false,
  about: `wait as a response of 429 or 503 asks (Retry-After), and send the request again: true, or a policy; default: the run option ${NAME}`,
};

/** @type {RunOption[]} */
export const OPTIONS = [
  {
    ...{ ...VALUE, name: NAME, flag: '--retry-after', default: false },
    check: (value) => VALUE.check(value) && refusePolicy(value).length === 0,
    read: (given) => (typeof given === 'string' ? ({ true: true, false: false }[given] ?? given) : given),
    refuse(value) {
      const [first] = refusePolicy(value);
      return first && `${first.at?.slice(1)}: ${first.reason}`;
    },
    fit: fitToFlow,
    about: 'wait as responses of 429 and 503 ask (Retry-After), and send the requests again; a policy in runOptions',
  },
];

/** Refuses thresholds on waits that no operation has: they would always hold. @type {NonNullable<RunOption['fit']>} */
function fitToFlow(options, flow, problems, onNotice) {
  const steps = loadOrigins().stepsOf(flow);
  // A function may request what waits.
  if (steps.some(({ call }) => call !== null)) return;
  if (options.retryAfter && !steps.some(({ protocol }) => protocol.name === 'http'))
    onNotice(`runOptions.${NAME}: no operation of the flow is a request of HTTP, so nothing is sent again`);
  if (steps.some(({ retry }) => retry !== null)) return;
  const texts = thresholdTexts(options.thresholds).filter((one) => WAITS.test(String(one)));
  for (const text of texts)
    problems.add('runOptions.thresholds', `${text}: no operation waits and is sent again: set ${NAME} (--retry-after)`);
}

const WAITS = /^\s*(throttled|requests\.(throttled\w*|waitsCut|exhausted))\s*[<>=!]/;

/** @type {RetryEntry} */
export const RETRY = { name: NAME, property: PROPERTY, compile };

/** @type {(given: any) => Retry | null} */
function compile(given) {
  if (given === undefined || given === false) return null;
  const policy = Object.fromEntries(
    Object.entries(MEMBERS).map(([name, row]) => [name, (given === true ? undefined : given[name]) ?? row.default]),
  );
  const { statuses, attempts, jitter } = /** @type {{ statuses: number[], attempts: number, jitter: number }} */ (
    policy
  );
  const [firstMs, longestMs] = [readMs(policy.first), readMs(policy.longest)];
  return {
    isAsked: ({ statusCode }) => statuses.includes(statusCode),
    waitMs({ headers }, sent, random) {
      const askedMs = retryAfterMs(headers, Date.now()) ?? Math.min(longestMs, firstMs * 2 ** (sent - 1));
      if (sent >= attempts || askedMs > longestMs) return Infinity;
      // Never sooner than the server allows; not all virtual users at once.
      return Math.min(longestMs, askedMs * (1 + jitter * random()));
    },
    remedy: (sent) =>
      sent >= attempts ? `raise attempts of ${NAME} (${attempts})` : `raise longest of ${NAME} (${writeMs(longestMs)})`,
  };
}
