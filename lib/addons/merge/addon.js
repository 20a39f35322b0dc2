/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'merge',
  commands: [
    {
      name: 'merge',
      about: 'merge saved results, or logs of requests: shards of one run, or runs of several machines',
      topic: 'results',
      load: () => import('./command.js'),
    },
  ],
};
