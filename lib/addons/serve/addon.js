/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'serve',
  about: 'the embedded target',
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'serve',
      about: 'start the embedded REST target and serve until Ctrl-C',
      topic: 'flows',
      load: () => import('./command.js'),
    },
  ],
};
