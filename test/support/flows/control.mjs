/** Lanes say their number, until the server wants the run to stop. */
export default {
  main: [
    {
      get: '/',
      beforeHooks: [({ requestOptions, vu }) => void (requestOptions.uri += vu)],
      afterHooks: [({ body, stop }) => void (body === 'stop' && stop())],
    },
  ],
};
