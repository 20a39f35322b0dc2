/** @import { Flag } from '../../core/cli/types.js' */
/** @import { NoiseOptions } from './requests.js' */

/** The limit of a change, and what tells noise from change. @type {Flag[]} */
export const REGRESSION_FLAGS = [
  {
    flag: '--max-regression <share>',
    about:
      'exit with 99 if a figure is significantly worse, by more than this, such as p99=10%, or 10% for all; repeatable',
    repeatable: true,
  },
  {
    flag: '--noise <share>',
    about:
      'how much runs of an unchanged service differ (standard deviation), such as p99=8%, or 4% for all; repeatable',
    repeatable: true,
  },
  {
    flag: '--history <folder>',
    isExperimental: true,
    about: 'earlier results of this flow, which show how much runs of an unchanged service differ',
  },
];

/** @type {(options: Record<string, any>) => { maxRegression: string[] } & NoiseOptions} */
export function regressionOptions({ maxRegression = [], noise = [], history }) {
  return { maxRegression, noise, ...(history !== undefined && { history }) };
}
