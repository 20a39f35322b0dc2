/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'formats',
  about: 'formats of results for spreadsheets, CI servers, pull requests and HdrHistogram, and that of bench-rest 1',
  formats: [
    {
      name: 'object',
      about: 'errors and stats as objects, as bench-rest 1 printed them',
      extension: '.txt',
      rank: -1,
      load: () => import('./object.js'),
    },
    {
      name: 'csv',
      about: 'a row for the iterations, one for each operation, each check and each metric of hooks (RFC 4180)',
      extension: '.csv',
      rank: -1,
      load: () => import('./csv.js'),
    },
    {
      name: 'junit',
      about:
        'a test case for each threshold, each check and one for the errors, with the metrics of hooks as properties, for CI',
      extension: '.xml',
      rank: -1,
      load: () => import('./junit.js'),
    },
    {
      name: 'markdown',
      about: 'tables for a pull request or the summary of a CI job',
      extension: '.md',
      isForPeople: true,
      rank: -1,
      load: () => import('./markdown.js'),
    },
    {
      name: 'github',
      about: 'annotations of GitHub Actions: the outcome, the errors, and what makes the figures suspect',
      extension: '.txt',
      isForPeople: true,
      rank: -1,
      load: () => import('./github.js'),
    },
    {
      name: 'hgrm',
      about: 'percentiles of the response time, for HdrHistogram plotters',
      extension: '.hgrm',
      rank: -1,
      load: () => import('./hgrm.js'),
    },
  ],
};
