import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'compare',
  about: 'comparisons of results, and runs that take turns',
  needs: ['capacity', 'history', 'page', 'server'],
  sections: [
    {
      name: 'baseline',
      suits: ({ baseline }) => baseline !== undefined,
      text: { before: 'thresholds' },
      markdown: { before: 'percentiles' },
      load: () => requireHere('./report/baseline.js'),
    },
  ],
  documentTypes: ['comparison'],
  resultKeys: [
    {
      name: 'baseline',
      before: 'confidence',
      schema: () => requireHere('./measure/comparison-schema.js').baselineSchema(),
    },
  ],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'compare',
      about: 'compare two saved results, and test whether the difference is significant',
      topic: 'results',
      load: () => import('./commands/compare.js'),
    },
    {
      name: 'ab',
      about: 'run two flows, or one flow against two services, in turn and compare them',
      topic: 'runs',
      takesWords: true,
      load: () => import('./commands/ab.js'),
    },
  ],
};
