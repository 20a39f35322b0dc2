import { shortened } from '../../../../text/format-value.js';
import { recordedBody } from './recorded-body.js';
import { recordedFields } from './recorded-fields.js';

/**
 * @import { Problems } from '../../../../problems.js'
 * @import { RecordingOptions } from '../types.js'
 * @import { LeftOut } from './left-out.js'
 * @import { RecordedEntry } from './recorded-entry.js'
 *
 * @typedef {object} RecordingContext
 * @property {Problems} problems
 * @property {LeftOut} leftOut
 * @property {RecordingOptions} recording
 * @property {string} origin of the requests that are sent
 */

/** characters of a name */
const LONGEST_NAME = 100;

/**
 * Translates an entry to an operation. Its text is data: it has no tokens.
 *
 * @param {RecordedEntry} entry
 * @param {RecordingContext} context
 * @returns {Record<string, any>}
 */
export function operationOf(entry, context) {
  const { method, url, status } = entry;
  const fields = recordedFields(entry, context);
  const { contentType, ...body } = recordedBody(entry, context);
  if (contentType === null) fields.delete('content-type');
  else if (contentType !== undefined && !fields.has('content-type'))
    fields.set('content-type', { name: 'Content-Type', value: contentType });
  return {
    method,
    uri: relative(entry),
    name: shortened(`${method} ${url.pathname}`, LONGEST_NAME),
    // fromEntries defines even a field of the name __proto__ as a property
    headers: Object.fromEntries([...fields.values()].map(({ name, value }) => [name, value])),
    ...body,
    // what the browser requested next is recorded, too
    followRedirect: false,
    ...(context.recording.cookies && { jar: false }),
    // what failed in the recording may fail again
    ...(status >= 400 && { afterHooks: ['ignoreStatus'] }),
  };
}

/** Path and query; a path that begins with // would be a host. @type {(entry: RecordedEntry) => string} */
function relative({ url, request }) {
  const query = url.search === '' ? queryOf(request.queryString) : url.search;
  return `${url.pathname.startsWith('//') ? '/.' : ''}${url.pathname}${query}`;
}

/** Some programs record the query here only. @type {(pairs: unknown) => string} */
function queryOf(pairs) {
  const query = new URLSearchParams();
  for (const pair of Array.isArray(pairs) ? pairs : []) {
    if (typeof pair?.name === 'string') query.append(pair.name, String(pair.value ?? ''));
  }
  return query.size > 0 ? `?${query}` : '';
}
