/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'kubernetes',
  commands: [
    {
      name: 'k8s',
      about: 'print an Indexed Job of Kubernetes that runs a flow on many pods, one shard each',
      topic: 'runs',
      load: () => import('./command.js'),
    },
  ],
};
