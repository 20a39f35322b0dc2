import { writeMs } from '../../core/ground/units.js';
import { SCREEN } from './size.js';

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'screen',
  about: 'the whole screen during a run',
  isExperimental: true,
  needs: ['bar', 'loads', 'palette'],
  displays: [
    {
      name: 'screen',
      about: `the whole screen, for terminals of at least ${SCREEN.columns} x ${SCREEN.rows} and runs of ${writeMs(SCREEN.ms)} or longer; --no-tui: none`,
      suits: ({ stderr, env, isForPrograms, screen = 'never' }) =>
        screen !== 'never' &&
        Boolean(stderr.isTTY) &&
        env.TERM !== 'dumb' &&
        !isForPrograms &&
        (screen === 'always' || !env.CI),
      needsIntervals: true,
      load: () => import('./index.js'),
    },
  ],
};
