/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'agents',
  about: 'runs on several machines, with a queue between them',
  needs: ['export', 'log', 'merge'],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'agent',
      about: 'wait on a queue, and run shards of the runs that bench-rest --agents submits',
      topic: 'runs',
      load: () => import('./command.js'),
    },
  ],
};
