import { expect } from 'chai';

import { readRunOptions } from '../../../lib/run/read-options.js';

describe('run options', () => {
  it('get their defaults', () => {
    expect(readRunOptions({}, { limit: 1, iterations: 2 })).to.include({
      limit: 1,
      iterations: 2,
      timeout: 30000,
      progress: 0,
      prealloc: 0,
    });
  });

  it('the caller wins over the flow, undefined says nothing', () => {
    expect(readRunOptions({ limit: 1, iterations: 1, user: 'a' }, { limit: 5, user: undefined })).to.include({
      limit: 5,
      iterations: 1,
      user: 'a',
    });
  });

  for (const given of [null, undefined, {}, { limit: 1 }, { iterations: 1 }, { limit: 0, iterations: 1 }]) {
    it(`${JSON.stringify(given)} lacks what is required`, () => {
      expect(() => readRunOptions({}, given)).to.throw(/benchmark runOptions requires iterations and limit properties/);
    });
  }

  for (const [given, message] of [
    [{ limti: 1 }, 'runOptions.limti: unknown option, did you mean limit?'],
    [{ limit: 1.5 }, 'runOptions.limit: expected a whole number from 1 to 100000, got 1.5'],
    [{ timeout: -1 }, 'runOptions.timeout: expected milliseconds from 0'],
    [{ signal: {} }, 'runOptions.signal: expected an AbortSignal'],
  ]) {
    it(message, () => expect(() => readRunOptions({ limit: 1, iterations: 1 }, given)).to.throw(message));
  }
});
