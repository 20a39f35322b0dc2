/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'record',
  about: 'flows from recorded requests',
  isExperimental: true,
  needs: ['import', 'own-server', 'processes', 'server'],
  errors: [
    {
      codes: {
        E_RECORD: { message: 'cannot record: {reason}', cure: '{cure}', exit: 'usage' },
      },
    },
  ],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'record',
      about: 'write a flow from the requests of a test suite, a program, or a browser',
      topic: 'flows',
      takesWords: true,
      load: () => import('./command.js'),
    },
  ],
};
