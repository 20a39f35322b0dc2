/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'preview',
  about: 'the options and the load of a run, before it sends anything',
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  previews: [
    {
      name: 'printConfig',
      flag: '--print-config',
      about: 'print every option and where its value comes from',
      load: async () => (await import('./print-run.js')).printConfig,
    },
    {
      name: 'printPlan',
      flag: '--print-plan',
      about: 'check flow and options, and draw the load over time; nothing is sent',
      inHelp: 'common',
      load: async () => (await import('./print-run.js')).printPlan,
    },
  ],
};
