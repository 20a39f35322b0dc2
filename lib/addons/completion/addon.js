/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'completion',
  about: 'completion of the command line',
  isExperimental: true,
  needs: ['lists', 'saved'],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'completion',
      about: 'print a completion script for bash, zsh or fish',
      topic: 'words',
      load: () => import('./command.js'),
    },
  ],
};
