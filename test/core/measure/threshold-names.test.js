import { expect } from 'chai';

import { judgementOf } from '../../../lib/core/measure/judge-thresholds.js';
import { readThreshold, thresholdsOf } from '../../../lib/core/measure/thresholds.js';
import fc from '../../support/fast-check.js';

const checksOf = (operations, names) => operations.flatMap((operation) => names.map((name) => ({ name, operation })));
const meant = ({ threshold: { operation, check, figure } }) => [operation, check, figure];

describe('names in thresholds that look like figures', () => {
  const operations = ['checks.list', 'my checks.v2', 'my', 'goodput(x)', 'errors', 'p95 p99', ' lead', '50% (a): b'];
  const names = { operations, checks: checksOf(operations, ['status 200', 'list p95']) };

  for (const [text, expected] of [
    ['checks.list p95<10s', ['checks.list', null, 'p95']],
    ['checks.list checks.status 200>99%', ['checks.list', 'status 200', 'checks']],
    ['my checks.v2 p95<10s', ['my checks.v2', null, 'p95']],
    ['my checks.v2 errors<1%', ['my checks.v2', null, 'errors']],
    ['my checks.status 200>99%', ['my', 'status 200', 'checks']],
    ['goodput(x) p95<1s', ['goodput(x)', null, 'p95']],
    ['errors errors<1%', ['errors', null, 'errors']],
    ['errors<1%', [null, null, 'errors']],
    ['p95 p99 max<1s', ['p95 p99', null, 'max']],
    [' lead p95<1s', [' lead', null, 'p95']],
    ['lead p95<1s', [' lead', null, 'p95']],
    ['50% (a): b rate>1', ['50% (a): b', null, 'rate']],
    ['checks.list p95>99%', [null, 'list p95', 'checks']],
    ['"my" checks."status 200">99%', ['my', 'status 200', 'checks']],
  ])
    it(`${text} is of ${JSON.stringify(expected)}`, () =>
      expect(meant(readThreshold(text, names))).to.deep.equal(expected));

  it('a name that none has is refused, with or without quotes', () => {
    for (const text of ['nobody p95<1s', '"nobody" p95<1s'])
      expect(readThreshold(text, names).reason).to.include('no operation is called "nobody"');
  });

  it('a threshold that could be of two of them is refused, with the way to write each', () => {
    const both = ['a', 'a checks.x'];
    const { reason } = readThreshold('a checks.x checks.y>99%', {
      operations: both,
      checks: [...checksOf(['a'], ['x checks.y']), ...checksOf(['a checks.x'], ['y'])],
    });
    expect(reason).to.equal(
      'could mean two figures of this flow: write "a checks.x" checks."y" or "a" checks."x checks.y", with the quotes',
    );
  });

  it('any name is possible if functions of the flow may use others, and known ones come first', () => {
    const open = { ...names, isOpen: true };
    expect(meant(readThreshold('checks.list p95<1s', open))).to.deep.equal(['checks.list', null, 'p95']);
    expect(meant(readThreshold('other checks.x>9%', open))).to.deep.equal(['other', 'x', 'checks']);
    expect(meant(readThreshold('checks.other p95<1s', open))).to.deep.equal(['checks.other', null, 'p95']);
  });

  const word = fc.constantFrom(
    'a',
    'b',
    'p95',
    'errors',
    'checks',
    'checks.b',
    'goodput(a)',
    'over',
    '1s',
    '<',
    '50%',
    '"',
  );
  const name = fc
    .array(fc.tuple(word, fc.constantFrom(' ', '.', ':', '', '  ')), { minLength: 1, maxLength: 4 })
    .map((words) => words.flat().join('').trim())
    .filter((text) => text !== '');
  const someNames = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });

  it('each name is selected in quotes, and without them, if nothing else is called so', () => {
    fc.assert(
      fc.property(someNames, someNames, (all, ofChecks) => {
        const known = { operations: all, checks: checksOf(all, ofChecks) };
        for (const operation of all)
          for (const check of [null, ...ofChecks]) {
            const expected = [operation, check, check === null ? 'p95' : 'checks'];
            const quoted = `${JSON.stringify(operation)} ${check === null ? 'p95<1s' : `checks.${JSON.stringify(check)}>9%`}`;
            const reading = readThreshold(quoted, known);
            expect(meant(reading), quoted).to.deep.equal(expected);
            const plain = readThreshold(`${operation} ${check === null ? 'p95<1s' : `checks.${check}>9%`}`, known);
            if ('threshold' in plain) expect(meant(plain)).to.deep.equal(expected);
            else expect(plain.reason).to.include('could mean two figures');
            const of = { operation, ...(check !== null && { check }) };
            const [again] = thresholdsOf({ thresholds: [judgementOf(reading.threshold, 1, of)] });
            expect(again).to.deep.equal(reading.threshold);
          }
      }),
      { numRuns: 50 },
    );
  });
});
