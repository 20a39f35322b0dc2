/** @import { CheckEntry } from './types.js' */

/** @type {CheckEntry} */
export default {
  name: 'status',
  about: "the status: a number, a class such as '2xx', or a list of them; it decides which statuses are errors",
  reads: 'status',
  type: 'number | string | (number | string)[]',
  schema: {
    anyOf: [
      { type: 'integer', minimum: 100, maximum: 999 },
      { type: 'string', pattern: '^\\s*[1-9](\\d\\d|xx)(\\s*,\\s*[1-9](\\d\\d|xx))*\\s*$' },
      { type: 'array', items: { type: ['integer', 'string'] }, minItems: 1 },
    ],
  },
  check: (value) => statusesOf(value) !== null,
  expected: "a status such as 201 or '2xx', or a list of them",

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

/**
 * @param {unknown} value valid
 * @returns {(status: number) => boolean}
 */
export function accepting(value) {
  const statuses = new Set(statusesOf(value));
  return (status) => statuses.has(status);
}

/** @type {(value: unknown) => string[]} */
function listOf(value) {
  return [value].flat().flatMap((one) =>
    String(one)
      .split(',')
      .map((text) => text.trim()),
  );
}

/** All statuses that a value names; null if it is none. @type {(value: unknown) => number[] | null} */
function statusesOf(value) {
  const given = [value].flat();
  if (given.length === 0 || !given.every((one) => ['string', 'number'].includes(typeof one))) return null;
  const texts = listOf(value);
  if (!texts.every((text) => STATUS.test(text))) return null;
  return texts.flatMap((text) =>
    text.endsWith('xx') ? Array.from({ length: 100 }, (_, i) => Number(text[0]) * 100 + i) : Number(text),
  );
}

const STATUS = /^[1-9](?:\d\d|xx)$/;
