/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'mcp',
  about: 'the server for assistants',
  isExperimental: true,
  needs: ['agents', 'bounds', 'compare', 'export', 'import', 'saved'],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'mcp',
      about:
        'let an assistant check, run and explain flows, by the Model Context Protocol on standard input and output',
      topic: 'runs',
      load: () => import('./command.js'),
    },
  ],
};
