import { expect } from 'chai';

import benchrest from '../../index.js';

/** Expects that a run of these flows sends these requests, and that none of them fails. */
export const sending = (flowOf, lines, options) => async (context) => {
  const { requests, errors } = await context.runs(flowOf(context), options);
  expect(errors).to.deep.equal([]);
  expect(requests).to.deep.equal(lines);
};

/** Expects that a flow is refused. */
export const refused = (flow, reason, options = { limit: 1, iterations: 1 }) =>
  expect(() => benchrest(flow, options)).to.throw(reason);

/** The names in the code of a cell. */
export const namesIn = (text) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);
