import { expect } from 'chai';

import { readFlow } from '../../../lib/core/flow/compile.js';
import { Benchmark } from '../../../lib/core/run/benchmark.js';
import { originOf } from '../../../lib/core/run/flow-source.js';
import { programLayers } from '../../../lib/core/run/options/layers.js';
import { readRunOptions } from '../../support/run-options.js';
import { createPlan } from '../../../lib/core/run/plan.js';
import { serving } from '../../support/serve.js';

/** A run that logs what the benchmark tells it; `onAttach` gets its controls. */
function recordingRun(onAttach = () => {}) {
  const log = [];
  return {
    log,
    attach: onAttach,
    onPhase: (phase) => log.push(phase),
    emit: (name, ...values) => log.push(name) && values.length > 0,
    listenerCount: () => 1,
    forProgram: (stats) => stats,
  };
}

/** Runs the benchmark of a flow. */
function benchmark(run, flow, given) {
  const read = readFlow(flow);
  const options = readRunOptions(programLayers(read.flow, { limit: 1, iterations: 2, ...given }));
  return new Benchmark(run, createPlan(read, options, originOf(flow))).run();
}

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
