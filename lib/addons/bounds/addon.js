/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'bounds',
  about: 'what a run that others ask for may use at most: for other add-ons',
  endReasons: [
    {
      name: 'limit',
      about: 'a limit of requests, bytes or time, which bench-rest mcp and agents set',
      message: 'stopped at the limit of requests, bytes or time of a run here',
      isLimit: true,
    },
  ],
  bounds: [{ load: () => import('./refuse-beyond.js') }],
};
