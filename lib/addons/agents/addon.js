import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'agents',
  about: 'runs on several machines, with a queue between them',
  isExperimental: true,
  needs: ['bounds', 'export', 'log', 'merge', 'processes', 'saved'],
  options: [{ group: 'Agents', load: () => requireNow('./options/agents.js').AGENTS }],
  sections: [
    {
      name: 'agents',
      suits: ({ agents }) => agents !== undefined,
      text: { before: 'section', isFailure: true, isQuiet: true, isLong: true },
      markdown: { before: 'figures' },
      page: { after: 'checks', heading: 'Machines' },
      load: () => requireHere('./report/agents.js'),
    },
  ],
  reasons: [
    {
      reason: 'agents',
      isOf: ({ agents }) => agents !== undefined && agents.lost > agents.maxLost,
      explain: (result) => requireHere('./report/reasons.js').explain(result),
    },
  ],
  endReasons: [
    {
      name: 'agent',
      about: 'an agent was stopped',
      message({ loadGenerators = [] }) {
        const stopped = loadGenerators.find(({ stoppedBy }) => stoppedBy !== undefined);
        const who = stopped ? `agent ${stopped.name} was stopped (${stopped.stoppedBy})` : 'an agent was stopped';
        return `stopped, because ${who}`;
      },
      exit: 'agents',
    },
    {
      name: 'queue',
      about: 'agents could not reach the queue',
      message: 'stopped, because agents could not reach the queue',
      exit: 'agents',
    },
    {
      name: 'coordinator',
      about: 'the command that leads the agents did not respond, or could not reach the queue',
      message: 'stopped, because this command did not respond, or could not reach the queue',
      exit: 'agents',
    },
  ],
  resultKeys: [{ name: 'agents', after: 'loadGenerators' }],
  errors: [
    {
      codes: {
        E_NOT_SENT: {
          message: '{problems}',
          exit: 'usage',
          headline: 'the run cannot be sent to agents; nothing was sent',
        },
        E_FLOW_TOO_LARGE: {
          message:
            'the flow has {size} bytes with its files, and at most {limit} are sent to agents; the largest is {largest}',
          cure: 'use smaller files, or several machines without agents: --shard',
          exit: 'usage',
        },
        E_BUNDLE: { message: '{path}: {reason}', cure: '{cure}', exit: 'flow' },
        E_PACKET: {
          message: 'the flow from the queue is malformed: {reason}',
          cure: 'are the command and the agent of the same version?',
          exit: 'usage',
        },
        E_MESSAGE: { message: 'the {what} from the queue {reason}', cure: '{cure}', exit: 'agents' },
        E_QUEUE: { message: 'the queue at {place} {reason}', cure: '{cure}', exit: 'agents' },
        E_AGENTS_MISSING: {
          message: '{present} of {needed} agents of the pool {pool} are ready at {place}{others}',
          cure: '{cure}',
          exit: 'agents',
        },
        E_POOL_BUSY: {
          message: 'the pool {pool} at {place} is used by another run, of {owner}',
          cure: 'wait for its end, raise --agents-timeout, or use another --agents-pool',
          exit: 'agents',
        },
        E_AGENT_LOST: {
          message: 'agent {name} was lost before the start: {reason}',
          cure: 'look at its output; nothing was measured',
          exit: 'agents',
        },
        E_AGENT_REFUSED: {
          message: 'agent {name} cannot run the flow: {reason}',
          cure: 'look at that machine; nothing was measured',
          exit: 'agents',
        },
      },
    },
  ],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  runners: [
    { suits: (names) => names.some((name) => name.startsWith('agents')), load: () => import('./agent-options.js') },
  ],
  commands: [
    {
      name: 'agent',
      about: 'wait on a queue, and run shards of the runs that bench-rest --agents submits',
      topic: 'runs',
      load: () => import('./command.js'),
    },
  ],
};
