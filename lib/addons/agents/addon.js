/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'agents',
  commands: [
    {
      name: 'agent',
      about: 'wait on a queue, and run shards of the runs that bench-rest --agents submits',
      topic: 'runs',
      load: () => import('./command.js'),
    },
  ],
};
