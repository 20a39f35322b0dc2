/** Reads every body; where `BODIES_ACT` says so, the worker of iteration 5 ends while it holds one. */
export default {
  main: [
    {
      get: '/#{INDEX}',
      timeout: 500,
      json: true,
      gzip: true,
      afterHooks: [
        ({ body, env }) => {
          if (process.env.BODIES_ACT === 'exit' && env.index === 5) process.exit(3);
          if (typeof body === 'string' && body.startsWith('throw')) throw new Error('as the body says');
        },
      ],
    },
  ],
};
