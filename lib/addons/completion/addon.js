/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'completion',
  commands: [
    {
      name: 'completion',
      about: 'print a completion script for bash, zsh or fish',
      topic: 'words',
      load: () => import('./command.js'),
    },
  ],
};
