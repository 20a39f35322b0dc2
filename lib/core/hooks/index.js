/** @import { HookEntry } from '../contracts/hooks.js' */

/** The hooks that a flow can name. @type {HookEntry[]} */
export const HOOKS = [
  {
    name: 'useEtag',
    about: 'sends the stored ETag of this URI: If-None-Match with GET and HEAD, If-Match otherwise',
    reads: 'head',
    hook(all) {
      const { uri, method, headers } = all.requestOptions;
      const etag = all.env.etags?.[uri];
      if (etag) headers[method === 'GET' || method === 'HEAD' ? 'If-None-Match' : 'If-Match'] = etag;
      return all;
    },
  },
  {
    name: 'saveEtag',
    about: 'stores the ETag of a 2XX response for useEtag, by URI or, after a POST, by its Location',
    reads: 'head',
    hook(all) {
      if (all.err) return all;
      const { statusCode, headers } = all.response;
      if (statusCode < 200 || statusCode > 299 || !headers.etag) return all;
      const { uri, method } = all.requestOptions;
      const { etag, location } = headers;
      const etags = (all.env.etags ??= Object.create(null));
      if (method === 'POST' && location) {
        // As the server wrote it, which a hook may read, and as the URL that a later operation requests.
        etags[location] = etag;
        if (URL.canParse(location, uri)) etags[new URL(location, uri).href] = etag;
      } else {
        etags[uri] = etag;
      }
      return all;
    },
  },
  {
    name: 'ignoreStatus',
    about: 'continues the flow after a status of 400 or more; the real status is in response.originalStatusCode',
    reads: 'head',
    hook(all) {
      if (!all.err && all.response.statusCode >= 400) all.response.statusCode = 200;
      return all;
    },
  },
  {
    name: 'verify2XX',
    about: 'fails unless the status is 200 to 299, or 101 of a WebSocket',
    reads: 'head',
    hook(all) {
      if (all.err) return all;
      const { statusCode } = all.response;
      if ((statusCode < 200 || statusCode > 299) && statusCode !== 101) {
        throw new Error(`statusCode was not in 200-299 range, statusCode: ${statusCode}`);
      }
      return all;
    },
  },
  {
    name: 'startStepTimer',
    about:
      'starts a timer for this operation, named step_N in main, <phase>_step_N in other phases, with <scenario>_ before it in scenarios',
    reads: 'head',
    timer: timerName,
    hook(all) {
      all.iterCtx.stepTimers ??= {};
      all.iterCtx.stepTimers[all.opIndex] = all.env.stats.timer(timerName(all)).start();
      return all;
    },
  },
  {
    name: 'endStepTimer',
    about: 'stops the timer of startStepTimer',
    reads: 'head',
    hook(all) {
      const stopwatch = all.iterCtx.stepTimers?.[all.opIndex];
      if (!stopwatch) throw new Error('endStepTimer without startStepTimer: add it to beforeHooks');
      stopwatch.end();
      return all;
    },
  },
];

/** @type {(operation: { phase: string, opIndex: number, scenario?: string }) => string} */
function timerName({ phase, opIndex, scenario }) {
  const name = phase === 'main' ? `step_${opIndex}` : `${phase}_step_${opIndex}`;
  return scenario === undefined ? name : `${scenario}_${name}`;
}
