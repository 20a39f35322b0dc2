import { parseYaml } from '../text/parse-yaml.js';

/** Fields of a recorded request that are never sent, unless the run has `--har-cookies`, which agents refuse. */
const LEFT_OUT = /^(?:cookie|proxy-authorization)$/i;

/**
 * A HAR recording without what is not sent: cookies, and the content of responses, which may be most of it.
 *
 * @param {Uint8Array} bytes of a document that was read as a recording
 * @returns {Promise<Uint8Array>} JSON
 */
export async function leanRecording(bytes) {
  const text = Buffer.from(bytes).toString();
  const { log, ...others } = await parse(text);
  const entries = log.entries.map((/** @type {any} */ entry) => ({
    ...entry,
    ...(entry?.request && { request: leanRequest(entry.request) }),
    ...(entry?.response && { response: { status: entry.response.status } }),
  }));
  return Buffer.from(JSON.stringify({ ...others, log: { ...log, entries } }));
}

/** @type {(text: string) => Promise<any>} */
async function parse(text) {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return (await parseYaml(text)).value;
  }
}

/** @type {(request: any) => any} */
function leanRequest({ cookies: _cookies, headers, ...request }) {
  if (!Array.isArray(headers)) return { ...request, headers };
  return { ...request, headers: headers.filter(({ name }) => !LEFT_OUT.test(name)) };
}
