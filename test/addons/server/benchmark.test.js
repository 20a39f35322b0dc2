import { expect } from 'chai';

import { benchmark, recordingRun } from '../../support/recording-run.js';
import { serving } from '../../support/serve.js';

describe('a run whose service is profiled', () => {
  /** Runs a benchmark whose service needs an hour for its profile; `act(controls, request)` gets each other request. */
  const withSlowProfile = (act, { before } = {}) => {
    let controls;
    return serving(
      (req, res) => {
        if (req.url.startsWith('/profile')) return;
        act(controls, req);
        res.statusCode = req.url === '/before' ? 500 : 200;
        res.end();
      },
      async (url) => {
        const run = recordingRun((given) => (controls = given));
        const flow = { ...(before && { before: [url + before] }), main: [`${url}/`] };
        const { stats } = await benchmark(run, flow, { iterations: 3, profileUrl: `${url}/profile?seconds=3600` });
        return stats.validity.remarks.find(({ code }) => code === 'profileIncomplete').message;
      },
    );
  };

  it('an abort ends the wait for a profile, after the connections of the run are closed', () => {
    let controls;
    return serving(
      (req, res) => {
        if (req.url.startsWith('/profile')) return;
        req.socket.once('close', () => controls.abort());
        res.end();
      },
      async (url) => {
        const run = recordingRun((given) => (controls = given));
        const { stats } = await benchmark(run, `${url}/`, { iterations: 1, profileUrl: `${url}/profile?seconds=3600` });
        expect(stats.validity.remarks.map(({ code }) => code)).to.include('profileIncomplete');
      },
    );
  });

  it('a run that is stopped, or has stopped, does not wait for a profile', async () => {
    const stop = (controls) => controls.stop('SIGINT');
    const why = /: the run ended before the profile was complete$/;
    expect(await withSlowProfile(stop)).to.match(why);
    expect(await withSlowProfile((controls, { socket }) => socket.once('close', () => stop(controls)))).to.match(why);
  });

  it('a run whose before fails does not wait for a profile', async () =>
    expect(await withSlowProfile(() => {}, { before: '/before' })).to.match(
      /: the run ended before the recording began$/,
    ));
});
