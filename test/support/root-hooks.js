import { expect } from 'chai';

/** Required by .mocharc.json: what holds after every test. */
export const mochaHooks = {
  afterEach() {
    // whatever a test reads or parses, nothing reaches Object.prototype (B16)
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  },
};
