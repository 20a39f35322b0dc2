/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'capacity',
  about: 'the search for the highest load that a service can take',
  hints: [
    { at: 'full service', text: 'find the rate that it can do with bench-rest capacity' },
    { at: 'unknown limit', text: 'which bench-rest capacity shows' },
  ],
  isExperimental: true,
  needs: ['card', 'compare', 'page', 'server'],
  documentTypes: ['capacity'],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'capacity',
      about: 'find the highest arrival rate at which the thresholds hold',
      topic: 'runs',
      takesWords: true,
      load: () => import('./command.js'),
    },
  ],
  documents: [
    {
      async load() {
        const { readCapacity: read, reportCapacity: report } = await import('./capacities.js');
        return { read, report };
      },
    },
  ],
};
