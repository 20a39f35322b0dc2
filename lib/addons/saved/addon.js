/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'saved',
  about: 'saved results, which are checked when they are read',
  hints: [{ at: 'result', text: 'print it with bench-rest report' }],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'report',
      about: 'print a saved result, or convert it to other formats',
      topic: 'results',
      rank: -1,
      load: () => import('./command.js'),
    },
  ],
};
