/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'history',
  about: 'results over commits',
  hints: [{ at: 'label', text: 'bench-rest history names results by it' }],
  isExperimental: true,
  needs: ['compare', 'page', 'saved'],
  documentTypes: ['history'],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'history',
      about: 'print how saved results changed over commits, and test where they changed',
      topic: 'results',
      load: () => import('./command.js'),
    },
  ],
};
