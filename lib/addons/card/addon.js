/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'card',
  about: 'a picture of a result',
  isExperimental: true,
  needs: ['formats', 'page', 'palette'],
  formats: [
    {
      name: 'card',
      about: 'a picture of 1200 × 630 pixels to show others, with the main figures and the latency over time',
      extension: '.svg',
      isForPeople: true,
      load: () => import('./index.js'),
    },
  ],
};
