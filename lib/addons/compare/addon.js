import { createRequire } from 'node:module';

import { REGRESSION_FLAGS, regressionOptions } from './flags.js';

const requireHere = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'compare',
  about: 'comparisons of results, and runs that take turns',
  hints: [
    {
      at: 'example',
      text: 'bench-rest ab ./old.js ./new.js -n 5000 -c 50               compare two flows: which is faster, is it significant',
    },
  ],
  needs: ['capacity', 'formats', 'history', 'page', 'processes', 'saved', 'server'],
  sections: [
    {
      name: 'baseline',
      suits: ({ baseline }) => baseline !== undefined,
      text: { before: 'thresholds' },
      markdown: { before: 'percentiles' },
      page: { after: 'latency', heading: 'Changes' },
      load: () => requireHere('./report/baseline.js'),
    },
  ],
  limits: [{ reason: 'regression', option: 'max-regression', of: ({ baseline }) => baseline?.regressions ?? [] }],
  documentTypes: ['comparison'],
  resultKeys: [{ name: 'baseline', before: 'confidence' }],
  errors: [
    {
      codes: {
        E_SETUP: {
          message: 'the setup ended with {how}: {command}',
          cure: 'mend it, or give another one with --setup{output}',
          exit: 'server',
        },
      },
    },
  ],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  companions: [
    {
      name: 'baseline',
      group: 'Checks',
      flags: () => [
        {
          flag: '--baseline <file>',
          inHelp: 'common',
          about: 'compare with this saved result: every report shows the changes',
        },
        ...REGRESSION_FLAGS,
      ],
      read({ baseline, ...options }, { refuse }) {
        const given = regressionOptions(options);
        if (baseline !== undefined) return { baseline, ...given };
        const [flag] = [
          ...(given.maxRegression.length > 0 ? ['--max-regression'] : []),
          ...(given.noise.length > 0 ? ['--noise'] : []),
          ...(given.history !== undefined ? ['--history'] : []),
        ];
        if (flag !== undefined) refuse(`${flag} needs --baseline, the saved result to compare with`);
        return null;
      },
      load: () => import('./companion.js'),
    },
  ],
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
