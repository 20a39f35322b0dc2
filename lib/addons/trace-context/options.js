import { readLimit } from '../../core/ground/units.js';
import { text } from '../../core/run/options/row.js';
import { maskText } from '../../core/text/mask.js';

/** @import { RunOption } from '../../core/run/options/types.js' */

/** Options of traces that requests name. @type {RunOption[]} */
export const TRACES = [
  {
    name: 'traceContext',
    flag: '--trace-context [share]',
    type: 'boolean | number | string',
    parsed: 'number | false',
    schema: { anyOf: [{ type: 'boolean' }, { type: 'number', minimum: 0, maximum: 1 }, { type: 'string' }] },
    read: readTraceContext,
    readsAny: true,
    check: (v) => v === false || (typeof v === 'number' && v >= 0 && v <= 1),
    implied: { text: '100%', values: /^([\d.]+%?|true|false)$/, expected: 'a share such as 10%' },
    expected: 'a share of the traces that services record, such as 10% or 0.1, or true for all',
    about:
      'send traceparent (W3C) with each request; services shall record this share of the traces, such as 10%; default: all',
  },
  {
    name: 'traceLink',
    flag: '--trace-link <url>',
    ...text,
    check: isTraceLink,
    masked: maskText,
    expected:
      'an http or https URL with {traceId}, such as https://traces.example.com/trace/{traceId}, without credentials',
    about: 'link to a recorded trace, with {traceId}, for the slowest requests; sends traceparent, too',
  },
];

/** @type {(given: unknown) => unknown} */
function readTraceContext(given) {
  if (given === true || given === 'true') return 1;
  if (given === 'false') return false;
  const limit = typeof given === 'string' ? readLimit(given) : null;
  if (limit && 'share' in limit) return limit.share;
  return typeof given === 'string' && /^[01]?\.?\d+$/.test(given) ? Number(given) : given;
}

const LONGEST_LINK = 2000;

/** @type {(given: unknown) => boolean} */
function isTraceLink(given) {
  if (typeof given !== 'string' || !given.includes('{traceId}') || given.length > LONGEST_LINK) return false;
  const url = URL.canParse(given) && !/[\s\p{Cc}<>]/u.test(given) ? new URL(given) : null;
  if (url === null || url.host.includes('{')) return false;
  return /^https?:\/\//i.test(given) && url.username === '' && url.password === '';
}
