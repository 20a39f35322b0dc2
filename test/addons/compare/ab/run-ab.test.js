import { expect } from 'chai';

import { command } from '../../../support/command.js';
import { serving } from '../../../support/serve.js';

/** Compares a path with itself: one run of each side, eight requests each. */
const ab = (url, ...flags) =>
  command(['ab', '--runs', '1', '-n', '8', '-c', '2', ...flags, `${url}/fail`, '--versus', url]);

describe('runs of ab', () => {
  const failing = (req, res) => {
    res.statusCode = 500;
    res.end();
  };

  it('errors of a side are exit code 1', () =>
    serving(failing, async (url) => {
      const { code, stderr } = await ab(url);
      expect(code).to.equal(1);
      expect(stderr).to.match(/run 1 of 1, A: .*8 errors/);
    }));

  it('errors within an errors threshold are no failure', () => {
    let answered = 0;
    return serving(
      (req, res) => (answered++ % 2 === 0 ? failing(req, res) : res.end()),
      async (url) => expect((await ab(url, '--threshold', 'errors<=8')).code).to.equal(0),
    );
  });

  it('a failed threshold of the second side is exit code 99, and is named', () =>
    serving(
      (req, res) => res.end(),
      async (url) => {
        const { code, stderr, stdout } = await ab(url, '--threshold', 'status.200==0');
        expect(code).to.equal(99);
        expect(stderr).to.match(/exit code 99/);
        expect(stdout)
          .to.match(/status\.200==0 +1 of 1 +1 of 1/)
          .and.include('B failed: threshold status.200==0;');
      },
    ));

  it('a threshold that the first side alone fails is a warning: the second repairs it', () =>
    serving(
      (req, res) => {
        res.statusCode = req.url === '/fail' ? 201 : 200;
        res.end();
      },
      async (url) => {
        const args = ['--threshold', 'status.200>0', '--runs', '1', '-n', '8', '-c', '2', '--json'];
        const { code, stdout } = await command(['ab', ...args, `${url}/fail`, `${url}/ok`]);
        const { outcome, warnings } = JSON.parse(stdout);
        expect([code, outcome.passed, warnings[0]]).to.deep.equal([
          0,
          true,
          { code: 'failed', message: 'A failed: threshold status.200>0' },
        ]);
      },
    ));

  it('a limit with too few runs says how many it needs', async () => {
    const { code, stderr } = await command([
      'ab',
      '--runs',
      '2',
      '--max-regression',
      '10%',
      'http://127.0.0.1:1/',
      '--versus',
      'http://127.0.0.1:1',
    ]);
    expect([code, /--runs is below 3; use --runs 3 or more/.test(stderr)]).to.deep.equal([2, true]);
  });
});
