import { expect } from 'chai';

import { readArguments } from '../../../lib/cli/options.js';
import { RUN_OPTIONS } from '../../../lib/run/options.js';

const read = (line, env = {}) =>
  readArguments(Array.isArray(line) ? line : line.split(' '), { version: '1.2.3', env, columns: 80 });

describe('cli/options', () => {
  const rows = [
    ['only what is given', 'http://h/', {}],
    ['counts with k and m', '-n 1m -c 10k -a 2k x.js', { iterations: 1_000_000, limit: 10_000, prealloc: 2000 }],
    ['counts written as 1e3', '-n 1e3 x.js', { iterations: 1000 }],
    [
      'times with a unit',
      '--timeout 2s --graceful-stop 1m -d 250ms x.js',
      { timeout: 2000, gracefulStop: 60_000, progress: 250 },
    ],
    ['0 where it means none', '-d 0 --timeout 0 -a 0 x.js', { progress: 0, timeout: 0, prealloc: 0 }],
    ['flags', '--insecure --keep-going x.js', { insecure: true, keepGoing: true }],
    ['options after the flow', 'x.js --iterations=5 --base-url=http://h', { iterations: 5, baseUrl: 'http://h' }],
  ];
  for (const [what, line, given] of rows) it(`reads ${what}`, () => expect(read(line).given).to.deep.equal(given));

  it('collects headers, the same one several times', () => {
    const { headers } = read(['-H', 'A: 1', '-H', 'b:2', '-H', 'A: 3', '-H', '__proto__: 4', 'x.js']).given;
    expect(Object.entries(headers)).to.deep.equal([
      ['A', ['1', '3']],
      ['b', '2'],
      ['__proto__', '4'],
    ]);
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  });

  it('takes user and password of the environment, below the flags', () => {
    const env = { BENCH_REST_USER: 'ann', BENCH_REST_PASSWORD: 'one' };
    expect(read('x.js', env).given).to.deep.equal({ user: 'ann', password: 'one' });
    expect(read('-p two x.js', env).given).to.deep.equal({ user: 'ann', password: 'two' });
  });

  it('reads serve', () => {
    expect(read('serve')).to.deep.equal({ command: 'serve', options: { port: 8000 } });
    expect(read('serve --port 0 --delay 1s --error 503 --percent 2.5').options).to.deep.equal({
      port: 0,
      delay: 1000,
      error: 503,
      percent: 2.5,
    });
  });

  it('has a flag of its own for every row of the run options that names one', () => {
    const { text } = read('--help');
    const flags = RUN_OPTIONS.flatMap(({ flag }) => flag ?? []);
    expect(flags).to.have.length.above(10);
    for (const flag of flags) expect(text).to.include(flag);
  });

  const wrong = [
    '-n 0',
    '-n -1',
    '-n 1.5',
    '-n NaN',
    '-n Infinity',
    '-n 9007199254740993',
    '-n 10g',
    '-c 0',
    '-c x',
    '-a -1',
    '-d -1',
    '-d x',
    '--timeout 5x',
    '--timeout -1',
    '--graceful-stop soon',
    '-H nothing',
    '-H :x',
    '--port 70000 --serve',
    '--percent 101 --serve',
    '--error 42 --serve',
    '--delay -1 --serve',
    '--bogus',
    '-n',
  ];
  for (const line of wrong) {
    it(`refuses ${line}`, () => {
      expect(() => read(`x.js ${line}`))
        .to.throw()
        .with.property('code', 'E_USAGE');
    });
  }
});
