// bench-rest -n 1000 -c 50 --serve examples/step-timers.js
// Each step gets its own meter and histogram in the stats: step_0, step_1, and `check`, a custom timer.
const timed = { beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'] };

const check = (all) => {
  const stopwatch = all.env.stats.timer('check').start();
  JSON.parse(all.body);
  stopwatch.end();
};

export default {
  baseUrl: 'http://localhost:8000',
  main: [
    { put: '/foo_#{INDEX}', json: 'mydata_#{INDEX}', ...timed },
    { get: '/foo_#{INDEX}', beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer', check] },
  ],
};
