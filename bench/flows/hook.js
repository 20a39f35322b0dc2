// A function as hook that reads the status and one header.
const seen = { types: 0 };

export default {
  main: [
    {
      get: '/',
      afterHooks: [
        (all) => {
          if (all.response.statusCode === 200 && all.response.headers['content-type']) seen.types++;
        },
      ],
    },
  ],
};
