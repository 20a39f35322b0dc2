import { expect } from 'chai';

/** Required by .mocharc.json: checks after every test. */
export const mochaHooks = {
  afterEach() {
    // no input of a test may modify Object.prototype (B16)
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  },
};
