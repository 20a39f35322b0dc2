/** Every operation fails in code of this file. */
const refuse = (text) => {
  throw new Error(text);
};

export default {
  beforeMain: [{ post: '/', json: ({ index }) => refuse(`no value for ${index}`) }],
  main: ['/'],
  afterMain: [
    {
      get: '/',
      qs: async () => 'a=1',
    },
  ],
  after: [{ get: '/', afterHooks: [() => JSON.parse('{')] }],
};
