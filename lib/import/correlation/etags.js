import { fieldOf, last } from './sources.js';

/** @import { Step } from './types.js' */

/**
 * Lets the hooks keep ETags: an operation that sent the ETag of an earlier response sends the current one. The ETag of
 * a browser's cache, which no response in the recording has, is left out.
 * @type {(steps: Step[]) => void}
 */
export function linkEtags(steps) {
  /** The last step whose response had this ETag, by URL. @type {Map<string, { step: Step, etag: string }>} */
  const known = new Map();
  for (const step of steps) {
    const { request } = step.exchange;
    const saved = known.get(request.url);
    for (const [name, value] of request.headers.filter(([one]) => /^if-(?:none-)?match$/i.test(one))) {
      if (saved && value.includes(saved.etag)) {
        addHook(step, 'beforeHooks', 'useEtag');
        addHook(saved.step, 'afterHooks', 'saveEtag');
      } else if (!isOfCache(request.method, value)) step.added.headers = { ...step.added.headers, [name]: value };
    }
    const { response } = last(step);
    const etag = response ? fieldOf(response, 'etag') : '';
    if (!response || etag === '' || response.status < 200 || response.status > 299) continue;
    known.set(request.url, { step, etag });
    const location = fieldOf(response, 'location');
    if (request.method === 'POST' && URL.canParse(location, request.url))
      known.set(new URL(location, request.url).href, { step, etag });
  }
}

/** @type {(method: string, value: string) => boolean} */
function isOfCache(method, value) {
  return (method === 'GET' || method === 'HEAD') && value !== '*';
}

/** @type {(step: Step, key: 'beforeHooks' | 'afterHooks', hook: string) => void} */
function addHook({ added }, key, hook) {
  if (!added[key]?.includes(hook)) added[key] = [...(added[key] ?? []), hook];
}
