import { makeError } from '../../ground/errors.js';

/** The exports of `bench-rest/report` in the alpha, so that it can be imported and answer. Goes with 3.0. */
export const [render, save, load, merge, compare, percentile, assertThresholds, withBaseline, assertNoRegression] =
  /** @type {undefined[]} */ ([]);

throw makeError('E_USAGE', {
  problem:
    'bench-rest/report is bench-rest/results now, and load, save, render, merge and compare are readResult, writeResult, renderResult, mergeResults and compareResults',
});
