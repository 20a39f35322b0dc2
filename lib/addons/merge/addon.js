/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'merge',
  about: 'results of several runs as one',
  needs: ['compare', 'loads', 'log', 'server'],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'merge',
      about: 'merge saved results, or logs of requests: shards of one run, or runs of several machines',
      topic: 'results',
      load: () => import('./command.js'),
    },
  ],
};
