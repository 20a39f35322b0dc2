import { anyText, formatValue } from '../../text/format-value.js';

/** @import { CheckEntry, Refusal } from './types.js' */

const ONE_STATUS = [
  { type: 'integer', minimum: 100, maximum: 999 },
  { type: 'string', pattern: '^\\s*[1-9](\\d\\d|xx)(\\s*,\\s*[1-9](\\d\\d|xx))*\\s*$' },
];

/** @type {CheckEntry} */
export default {
  name: 'status',
  about: "the status: a number, a class such as '2xx', or a list of them; it decides which statuses are errors",
  reads: 'status',
  type: 'number | string | (number | string)[]',
  schema: {
    anyOf: [...ONE_STATUS, { type: 'array', items: { anyOf: ONE_STATUS }, minItems: 1 }],
  },
  check: (value) => {
    const given = [value].flat();
    return given.length > 0 && given.every((one) => ['string', 'number'].includes(typeof one));
  },
  expected: "a status such as 201 or '2xx', or a list of them",

  refuse: (value) =>
    Array.isArray(value) ? value.flatMap((one, i) => refusalsOf(one, `[${i}]`)) : refusalsOf(value, undefined),

  compile(value) {
    const wanted = listOf(value).join(', ');
    const accepts = accepting(value);
    return [
      {
        name: `status ${wanted}`,
        check: ({ statusCode }) =>
          accepts(statusCode) ? null : { expected: `status ${wanted}`, received: String(statusCode) },
      },
    ];
  },
};

/** Compiles a valid value to a test of a status. @type {(value: unknown) => (status: number) => boolean} */
export function accepting(value) {
  const statuses = new Set(statusesOf(value));
  return (status) => statuses.has(status);
}

/** Lists the statuses and classes that a value names, as texts. @type {(value: unknown) => string[]} */
function listOf(value) {
  return [value].flat().flatMap((one) =>
    anyText(one)
      .split(',')
      .map((text) => text.trim()),
  );
}

const STATUS = /^[1-9](?:\d\d|xx)$/;
/** A class that is written in another way: 2x, 2XX, 2**, 2, 200-299. */
const LIKE_CLASS = /^([1-9])(?:[x*]{0,3}|00-\d99)$/i;

/** @type {(value: unknown, at: string | undefined) => Refusal[]} */
function refusalsOf(value, at) {
  return listOf(value).flatMap((text) => {
    if (STATUS.test(text)) return [];
    const [, first] = LIKE_CLASS.exec(text) ?? [];
    const cure = first ? `write '${first}xx'` : "write a number from 100 to 999, or a class such as '2xx'";
    return [{ at, reason: `${formatValue(typeof value === 'number' ? value : text)} is not a status: ${cure}` }];
  });
}

/** All statuses that a valid value names. @type {(value: unknown) => number[]} */
function statusesOf(value) {
  return listOf(value).flatMap((text) =>
    text.endsWith('xx') ? Array.from({ length: 100 }, (_, i) => Number(text[0]) * 100 + i) : Number(text),
  );
}
