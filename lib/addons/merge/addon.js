import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'merge',
  about: 'results of several runs as one',
  hints: [{ at: 'run id', text: 'bench-rest merge refuses shards of another one' }],
  isExperimental: true,
  needs: ['compare', 'loads', 'log', 'saved', 'server'],
  sections: [
    {
      name: 'shards',
      suits: ({ run }) => run?.shards !== undefined,
      text: { before: 'section', isFailure: true },
      markdown: { after: 'checks' },
      page: { after: 'checks', heading: 'Machines' },
      load: () => requireHere('./report/shards.js'),
    },
  ],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'merge',
      about: 'merge saved results, or logs of requests: shards of one run, or runs of several machines',
      topic: 'results',
      load: () => import('./command.js'),
    },
  ],
};
