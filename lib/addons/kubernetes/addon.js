/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'kubernetes',
  about: 'jobs of Kubernetes',
  isExperimental: true,
  needs: ['agents'],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'k8s',
      about: 'print an Indexed Job of Kubernetes that runs a flow on many pods, one shard each',
      topic: 'runs',
      load: () => import('./command.js'),
    },
  ],
};
