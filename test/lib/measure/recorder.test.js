import { expect } from 'chai';

import { Recorder } from '../../../lib/measure/recorder.js';

describe('recorder', () => {
  it('books that do not balance are said aloud', () => {
    const recorder = new Recorder();
    recorder.started();
    expect(() => recorder.close()).to.throw('1 iterations started').that.includes({ code: 'E_INTERNAL' });
  });

  it('a request counts once, under its role and its end', () => {
    const recorder = new Recorder();
    recorder.unanswered(false, 'count');
    recorder.answered(200, 'retries');
    recorder.answered(302, 'count');
    recorder.answered(500, 'redirects');
    recorder.unanswered(true, 'count');
    expect(recorder.requests).to.deep.equal({ count: 3, sent: 5, answered: 3, failed: 1, cancelled: 1, retries: 1, redirects: 1, ok: 2 });
    expect(recorder.statusCodes()).to.deep.equal({ 200: 1, 302: 1, 500: 1 });
    recorder.close();
  });

  it('errors are grouped by kind, code and operation, never by message', () => {
    const recorder = new Recorder();
    for (let index = 9; index >= 0; index--) {
      recorder.failure({ kind: 'hook', code: 'E_HOOK', context: 'main', operation: 'GET /', index, message: () => `unique ${index}` });
    }
    const { count, kinds, samples } = recorder.errors();
    expect({ count, kinds }).to.deep.equal({ count: 10, kinds: { hook: 10 } });
    expect(samples).to.have.lengthOf(1);
    expect(samples[0]).to.include({ message: 'unique 9', count: 10, firstIndex: 0 });
    recorder.close();
  });

  it('shows at most 20 groups, the largest first', () => {
    const recorder = new Recorder();
    for (let i = 0; i < 30; i++) {
      for (let n = 0; n <= i; n++) recorder.failure({ kind: 'hook', code: `E${i}`, context: 'main', operation: '', index: n, message: () => 'x' });
    }
    const { samples } = recorder.errors();
    expect(samples).to.have.lengthOf(20);
    expect(samples[0].count).to.equal(30);
    recorder.close();
  });

  it('a cancelled main is in no histogram, a failed one is not among the good', () => {
    const recorder = new Recorder();
    recorder.main(1, NaN, 'completed');
    recorder.main(2, NaN, 'failed');
    recorder.main(3, NaN, 'cancelled');
    expect([recorder.ok.count, recorder.notOk.count]).to.deep.equal([1, 1]);
    recorder.close();
  });
});
