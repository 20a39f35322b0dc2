/** Lanes say their number, until the server wants the run to stop. */
export default {
  main: [
    {
      get: '/',
      beforeHooks: [({ requestOptions, lane }) => void (requestOptions.uri += lane)],
      afterHooks: [({ body, stop }) => void (body === 'stop' && stop())],
    },
  ],
};
