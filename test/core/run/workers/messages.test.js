import { expect } from 'chai';

import { readFromWorker } from '../../../../lib/core/run/workers/worker-handle.js';
import { workerReport } from '../../../support/worker-report.js';

const REPORT = workerReport();

describe('messages of workers', () => {
  for (const message of [
    REPORT,
    { type: 'responses', steps: [], rows: new Float64Array(2), missed: 0 },
    { type: 'started', at: 1.5 },
    { type: 'ownStop', reason: 'limit' },
    { type: 'answer', result: null },
    { type: 'refused', error: { name: 'Error', message: 'no', stack: undefined } },
  ])
    it(`a message is read as it was posted: ${message.type}`, () => {
      const read = readFromWorker(structuredClone(message));
      expect(JSON.parse(JSON.stringify(read))).to.deep.equal(JSON.parse(JSON.stringify(message)));
      expect(read).not.to.equal(message);
    });

  it('a large state is not copied', () => expect(readFromWorker(REPORT).state).to.equal(REPORT.state));

  for (const [message, reason] of [
    [null, 'message: expected an object, got null'],
    [{ type: 'done' }, /^message\.type: expected report or responses/],
    [{ ...REPORT, evaluate: '1' }, 'message.evaluate: unknown property'],
    [{ type: 'report' }, 'message.state: expected a value, got undefined'],
    [{ type: 'started', at: NaN }, /^message\.at: expected a finite number/],
    [{ type: 'responses', steps: [], rows: [], missed: 0 }, /^message\.rows: expected a Float64Array/],
    [JSON.parse('{"type":"ownStop","reason":"hook","__proto__":{}}'), /^message\.__proto__: unknown property/],
  ])
    it(`any other one is refused by name: ${JSON.stringify(message)}`, () =>
      expect(() => readFromWorker(message)).to.throw(reason));
});
