/** Time of the first entry. */
const START_MS = Date.parse('2026-01-05T10:00:00.000Z');

/** A recording with these entries. */
export const recording = (...entries) => ({
  log: { version: '1.2', creator: { name: 'test', version: '1' }, pages: [], entries },
});

/** A recorded request: `at` and `time` in ms, `status` of its response, and properties of its request and of the entry. */
export function recorded(line, { at = 0, time = 10, status = 200, entry = {}, ...request } = {}) {
  const [method, url] = line.split(' ');
  return {
    startedDateTime: new Date(START_MS + at).toISOString(),
    time,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      headers: [],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: -1,
      ...request,
    },
    response: { status, statusText: '', headers: [], content: { size: 0, mimeType: 'text/html' } },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...entry,
  };
}

/** Header fields from `{ name: value }`. */
export const fields = (object) => Object.entries(object).map(([name, value]) => ({ name, value }));
