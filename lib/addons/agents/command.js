import os from 'node:os';

import { readCount } from '../../core/ground/units.js';
import { POOL, QUEUE_VARIABLE, isName, readQueueUrl } from './options/agents.js';
import { rowOf } from '../../core/run/options/index.js';
import { addAllowFlags, allowedOf } from './allow-flags.js';
import { argumentParser, secretParser } from '../../core/cli/flags/argument-parser.js';
import { addBoundFlags, boundsOf } from './bound-flags.js';
import { usageError } from '../../core/cli/usage-error.js';

/** @import { CommandModule } from '../../core/cli/types.js' */
/** @import { AgentRequest } from './requests.js' */

const WORKERS = rowOf('workers');
const readName = argumentParser(String, isName, 'up to 60 letters, digits, or characters of _ . @ -');
const readQueue = argumentParser(
  String,
  (text) => readQueueUrl(text) !== null,
  'the URL of Redis or Valkey, such as redis://host:6379',
);

/** Waits on a queue for runs on several machines. @type {CommandModule} */
export default {
  declare(command, { env, submit }) {
    command
      .option(
        '--queue <url>',
        'Redis or Valkey, such as redis://host:6379; rediss:// uses TLS; or BENCH_REST_QUEUE in the environment',
        secretParser('--queue <url>', readQueue),
      )
      .option('--name <name>', 'name of this agent in results (default: the name of the machine)', readName)
      .option('--pool <name>', 'take the runs for this pool', readName, POOL);
    addAllowFlags(command, {
      code: 'run code that comes by the queue: everyone who can write to it can then run programs here',
      env: 'variables of the environment that flows from the queue may read, such as TOKEN,HOST (default: none)',
      target: 'where flows from the queue may send requests, such as api.example:443,*.test:* (default: everywhere)',
    })
      .option(
        '--log-folder <folder>',
        'write the logs of runs with --log into this folder (default: such runs are refused)',
      )
      .option(
        '-w, --workers <n>',
        'worker threads of runs that do not say how many (default: one per core)',
        argumentParser(
          (text) => (text === 'auto' ? text : readCount(text)),
          (value) => value === 'auto' || WORKERS.check(value),
          WORKERS.expected,
        ),
      );
    addBoundFlags(command);
    command.action((options) => submit(requestOf(options, env)));
  },

  async run(request, io, shutdown) {
    const { runAgent } = await import('./run-agent.js');
    return runAgent(request, io, shutdown);
  },
};

/** @type {(options: Record<string, any>, env: NodeJS.ProcessEnv) => AgentRequest} */
function requestOf({ queue: given, name = ownName(), pool, workers = 'auto', logFolder = null, ...options }, env) {
  const queue = given ?? env[QUEUE_VARIABLE];
  if (!queue) throw usageError('--queue is missing: the URL of Redis or Valkey, such as redis://host:6379');
  return {
    command: 'agent',
    queue,
    name,
    pool,
    workers,
    logFolder,
    allowed: allowedOf(options),
    bounds: boundsOf(options),
  };
}

/** Returns the name of the machine, with - for characters that names of agents do not have. @type {() => string} */
function ownName() {
  const name = os.hostname().replace(/[^\w.@-]/g, '-');
  return name.slice(0, 60) || 'agent';
}
