import { expect } from 'chai';

import { FLOW_PROPERTIES } from '../../../lib/core/flow/normalize.js';
import { ITERATION_PHASES, PHASES, PHASE_ROWS, isTeardown } from '../../../lib/core/ground/phases.js';
import { schemaOf } from '../../support/schemas.js';

describe('phases', () => {
  it('an iteration is the phases from beforeMain to afterMain', () => {
    expect(PHASES.slice(PHASES.indexOf('beforeMain'), PHASES.indexOf('afterMain') + 1)).to.deep.equal(ITERATION_PHASES);
  });

  it('the phases after main tear down', () => {
    expect(PHASES.filter(isTeardown)).to.deep.equal(['afterMain', 'after']);
  });

  it('flows and results have the phases of the table', () => {
    for (const { name, about } of PHASE_ROWS) expect(FLOW_PROPERTIES[name].about).to.equal(about);
    expect(schemaOf('result').$defs.phase.enum).to.deep.equal(PHASES);
  });
});
