import { isTarget, refuseTarget } from '../server/target-kinds.js';
import { text } from './kinds.js';
import { maskStart, mergeStart, readStart, refuseStart } from './start.js';

/** @import { RunOption } from './row.js' */

/** The server under test. @type {RunOption[]} */
export const TARGET = [
  { name: 'baseUrl', flag: '--base-url <url>', ...text, expected: 'a URL', about: 'base URL of relative URLs' },
  {
    name: 'start',
    flag: '--start <command>',
    type: 'string | string[] | StartOptions',
    parsed: "import('./start.js').Start",
    // a flow that is data cannot run a command
    schema: null,
    read: readStart,
    readsAny: true,
    check: (v) => v !== undefined,
    expected: "a command such as 'node app.js'",
    refuse: refuseStart,
    merge: mergeStart,
    masked: maskStart,
    about: 'start the server with this command, wait until it is ready, and end it after the run; its port is in PORT',
    refusedInJob: 'would start a server in each pod: run the server as a service, and pass its URL',
    refusedByAgents: 'would start a server on each agent: start it elsewhere, and pass its URL',
  },
  {
    name: 'target',
    type: 'Target',
    schema: null,
    check: isTarget,
    expected: 'an http.Server, a (request, response) function, or an application such as one of Express, Koa or Hono',
    refuse: refuseTarget,
    about:
      'a server or an application of this process, instead of baseUrl; started on a free port if it is not listening',
  },
];
