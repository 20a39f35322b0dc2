import { TOKEN } from '../../http/field-values.js';
import { hasSentBody, withoutStreamFields } from './upload-stream.js';

/** @import { Exchange, RecordedMessage, RecordedRequest, RecordedResponse } from '../../contracts/exchange.js' */

/** Bodies of these are not searched. */
const BYTES = /^(?:image|font|video|audio)\/|^application\/(?:octet-stream|pdf|zip|wasm|x?-?font)/i;
/** The initiators of responses whose bodies are not searched. */
const UNSEARCHED = ['image', 'font', 'media', 'stylesheet', 'script'];
const CACHES = /^(?:memory|disk) cache$/i;

/** Characters of the body of a response that is kept: a longer one is read again when it is searched. */
const MOST_KEPT = 1024;

/**
 * Translates an entry of a HAR recording; a text says why it cannot be one. `readAgain` reads the same entry.
 * @type {(entry: any, readAgain: () => any) => Exchange | string}
 */
export function exchangeOf(entry, readAgain) {
  const { request: given, response, startedDateTime, time } = entry ?? {};
  if (typeof given !== 'object' || given === null) return 'has no request';
  const request = withoutStreamFields(given);
  const { method, url } = request;
  if (typeof method !== 'string' || !TOKEN.test(method)) return 'has no HTTP method';
  if (typeof url !== 'string' || !URL.canParse(url)) return 'has no URL';
  const startedAt = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : NaN;
  const headers = fieldsOf(request);
  const initiator = typeof entry._resourceType === 'string' ? entry._resourceType.toLowerCase() : '';
  return {
    startedAt,
    endedAt: startedAt + (time > 0 ? Number(time) : 0),
    client: 'browser',
    request: {
      method: method.toUpperCase(),
      url: withQuery(url, request.queryString),
      ...bodyOf(request, headers),
    },
    response: responseOf(response, initiator, readAgain),
    ...(initiator && { initiator }),
    ...((typeof entry._fromCache === 'string' || CACHES.test(entry._fetchType)) && { isCached: true }),
    ...(Array.isArray(entry._webSocketMessages) && { messages: messagesOf(entry._webSocketMessages, startedAt) }),
  };
}

/**
 * Cookies in the list alone, as some programs write them, are a field, too.
 * @type {(message: any, cookieName?: string) => [name: string, value: string][]}
 */
function fieldsOf({ headers, cookies }, cookieName = 'Cookie') {
  const given = Array.isArray(headers) ? headers : [];
  /** @type {[string, string][]} */
  const fields = given.flatMap((field) =>
    typeof field?.name === 'string' && ['string', 'number'].includes(typeof field.value)
      ? String(field.value)
          .split('\n')
          .map((/** @type {string} */ line) => /** @type {[string, string]} */ ([field.name, line]))
      : [],
  );
  const listed = Array.isArray(cookies)
    ? cookies.filter((one) => typeof one?.name === 'string' && typeof one.value === 'string')
    : [];
  if (listed.length === 0 || fields.some(([name]) => name.toLowerCase() === cookieName.toLowerCase())) return fields;
  const pairs = listed.map(({ name, value }) => `${name}=${value}`);
  return [
    ...fields,
    ...(cookieName === 'Cookie' ? [pairs.join('; ')] : pairs).map(
      (text) => /** @type {[string, string]} */ ([cookieName, text]),
    ),
  ];
}

/** Some programs record the query in a list only. @type {(url: string, pairs: unknown) => string} */
function withQuery(url, pairs) {
  if (url.includes('?') || !Array.isArray(pairs) || pairs.length === 0) return url;
  const query = new URLSearchParams();
  for (const pair of pairs) if (typeof pair?.name === 'string') query.append(pair.name, String(pair.value ?? ''));
  const [address] = url.split('#');
  return query.size > 0 ? `${address}?${query}` : url;
}

/** @type {(request: any, headers: [string, string][]) => Omit<RecordedRequest, 'method' | 'url'>} */
function bodyOf(request, given) {
  const { text, params, mimeType, encoding } = request.postData ?? {};
  const { headers, type } = withType(given, typeof mimeType === 'string' ? mimeType : '');
  if (typeof text === 'string' && text !== '')
    return { headers, body: Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8') };
  if (Array.isArray(params) && params.length > 0) return { headers, body: bodyOfParams(params, type) };
  const isMissing = hasSentBody(request);
  return { headers: given, body: Buffer.alloc(0), ...(isMissing && { bodyLacks: 'is not in the recording' }) };
}

/**
 * Some programs record the type of a body beside it only, or that of a form without its boundary.
 * @type {(headers: [string, string][], mimeType: string) => { headers: [string, string][], type: string }}
 */
function withType(headers, mimeType) {
  const field = headers.find(([name]) => /^content-type$/i.test(name))?.[1];
  const bare = field ?? mimeType;
  const isOpen = /^multipart\/form-data/i.test(bare) && !/boundary=/i.test(bare);
  const type = isOpen ? (/boundary=/i.test(mimeType) ? mimeType : 'multipart/form-data; boundary=bench-rest') : bare;
  if (type === '' || type === field) return { headers, type };
  return { headers: [...headers.filter(([name]) => !/^content-type$/i.test(name)), ['Content-Type', type]], type };
}

/** @type {(params: any[], type: string) => Buffer} */
function bodyOfParams(params, type) {
  const named = params.filter((one) => typeof one?.name === 'string');
  const boundary = /boundary="?([^\s;"]+)/i.exec(type)?.[1];
  if (!/^multipart\//i.test(type) || boundary === undefined)
    return Buffer.from(
      String(
        new URLSearchParams(
          named.map(({ name, value = '' }) => /** @type {[string, string]} */ ([name, String(value)])),
        ),
      ),
    );
  const parts = named.map(({ name, value = '', fileName, contentType }) => {
    const file = typeof fileName === 'string' ? `; filename="${fileName}"` : '';
    const partType = typeof contentType === 'string' && contentType !== '' ? `Content-Type: ${contentType}\r\n` : '';
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${partType}\r\n${value}\r\n`;
  });
  return Buffer.from(`${parts.join('')}--${boundary}--\r\n`);
}

/** @type {(response: any, initiator: string, readAgain: () => any) => RecordedResponse | null} */
function responseOf(response, initiator, readAgain) {
  const { status, content = {} } = response ?? {};
  if (!Number.isInteger(status) || status < 100 || status > 999) return null;
  const { text, encoding, mimeType = '' } = content ?? {};
  const headers = fieldsOf(response, 'Set-Cookie');
  if (mimeType && !headers.some(([name]) => name.toLowerCase() === 'content-type'))
    headers.push(['Content-Type', String(mimeType)]);
  const isSearched = !BYTES.test(mimeType) && !UNSEARCHED.includes(initiator);
  if (typeof text !== 'string') return { status, headers, body: Buffer.alloc(0), isCut: true };
  return isSearched
    ? withBody({ status, headers }, text, { coding: encoding === 'base64' ? 'base64' : 'utf8', readAgain })
    : { status, headers, body: Buffer.alloc(0) };
}

/**
 * @type {(head: Omit<RecordedResponse, 'body'>, text: string, how: { coding: BufferEncoding, readAgain: () => any }) =>
 *   RecordedResponse}
 */
function withBody({ status, headers }, text, { coding, readAgain }) {
  if (text.length <= MOST_KEPT) return { status, headers, body: Buffer.from(text, coding) };
  return {
    status,
    headers,
    get body() {
      return Buffer.from(readAgain().response.content.text, coding);
    },
  };
}

/** Chrome has their times in seconds. @type {(messages: any[], startedAt: number) => RecordedMessage[]} */
function messagesOf(messages, startedAt) {
  return messages.flatMap((message) => {
    const { type, time, opcode, data } = message ?? {};
    return typeof data === 'string'
      ? [
          {
            from: type === 'send' ? /** @type {const} */ ('client') : /** @type {const} */ ('server'),
            at: time > 0 ? Number(time) * 1000 : startedAt,
            data: opcode === 2 ? Buffer.from(data, 'base64') : data,
          },
        ]
      : [];
  });
}
