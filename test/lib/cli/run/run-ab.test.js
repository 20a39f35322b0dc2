import { expect } from 'chai';

import { command } from '../../../support/command.js';
import { serving } from '../../../support/serve.js';

/** Compares a path with itself: one run of each side, eight requests each. */
const ab = (url, ...flags) =>
  command(['ab', '--runs', '1', '-n', '8', '-c', '2', ...flags, `${url}/fail`, '--versus', url]);

describe('cli/run/run-ab', () => {
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

  it('a failed threshold of a side is exit code 99', () =>
    serving(
      (req, res) => res.end(),
      async (url) => {
        const { code, stderr } = await ab(url, '--threshold', 'status.200==0');
        expect(code).to.equal(99);
        expect(stderr).to.match(/exit code 99/);
      },
    ));
});
