/**
 * The text of a GitHub workflow that runs a flow for each pull request, and compares it with the base branch.
 *
 * @param {object} settings
 * @param {string} settings.flow its path
 * @param {string} settings.load options of the command
 * @param {URL} [settings.url] what the flow requests; none: the embedded target
 * @returns {string}
 */
export function workflow({ flow, load, url }) {
  const args = `${load}${url ? '' : ' --serve'}`;
  const comparison = url
    ? `          # starts your service; pull requests then run the base branch and theirs in turn, and may be limited:
          # start: npm start
          # max-regression: p95=10%
`
    : '';
  return `# ${flow} for each pull request, compared with the base branch
name: bench
on:
  push:
    branches: [main, master]
  pull_request:
permissions:
  actions: read # the result of the base branch
  contents: read
  pull-requests: write # the comment
jobs:
  bench:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - uses: jeffbski/bench-rest@v2
        with:
          flow: ${flow}
          args: ${args}
${comparison}          comment: true
`;
}
