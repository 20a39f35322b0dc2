/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'serve',
  about: 'the embedded target',
  commands: [
    {
      name: 'serve',
      about: 'start the embedded REST target and serve until Ctrl-C',
      topic: 'flows',
      load: () => import('./command.js'),
    },
  ],
};
