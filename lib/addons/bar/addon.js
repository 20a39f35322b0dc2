/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'bar',
  about: 'a progress bar during a run',
  displays: [
    {
      name: 'bar',
      about: 'a progress bar, for terminals',
      suits: ({ stderr, env }) => Boolean(stderr.isTTY) && env.TERM !== 'dumb',
      // a larger display may suit, too
      rank: 1,
      load: () => import('./index.js'),
    },
  ],
};
