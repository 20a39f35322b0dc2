/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'init',
  about: 'a first flow, and a first add-on',
  isExperimental: true,
  needs: ['serve'],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'init',
      about: 'write a first flow, an npm script and a GitHub workflow, or an add-on; existing files are left alone',
      topic: 'flows',
      load: () => import('./command.js'),
    },
  ],
};
