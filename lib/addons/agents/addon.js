import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'agents',
  about: 'runs on several machines, with a queue between them',
  needs: ['export', 'log', 'merge'],
  options: [{ group: 'Agents', load: () => requireNow('./options/agents.js').AGENTS }],
  sections: [
    {
      name: 'agents',
      suits: ({ agents }) => agents !== undefined,
      text: { before: 'section', isFailure: true, isQuiet: true, isLong: true },
      markdown: { before: 'figures' },
      load: () => requireHere('./report/agents.js'),
    },
  ],
  resultKeys: [
    { name: 'agents', after: 'loadGenerators', schema: () => requireHere('./report/agents.js').agentsSchema() },
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
