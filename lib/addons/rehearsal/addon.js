/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'rehearsal',
  about: 'requests of a run at a rate to a server of its own thread, before the first one that is measured',
  participants: [
    {
      name: 'rehearsal',
      // Workers have threads of their own, and a warm-up does the same with the requests of the user.
      suits: ({ rate, stages, warmup, workers }) =>
        (rate ?? stages?.find((/** @type {{ rate?: number }} */ stage) => stage.rate)) !== undefined &&
        warmup === undefined &&
        workers === undefined,
      load: () => import('./rehearsal.js'),
    },
  ],
};
