/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'lists',
  about: 'lists of what can be used by name',
  hints: [{ at: 'list', text: 'bench-rest list' }],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'list',
      about: 'list what can be used by name: hooks, tokens, formats and others',
      topic: 'words',
      rank: -1,
      load: () => import('./command.js'),
    },
  ],
};
