// For test/workers.test.js: `before` captures what all iterations send.
export default {
  before: [{ get: '/before', capture: { status: { status: true }, body: { text: '.*' } } }],
  main: [{ get: '/#{INDEX}', headers: { 'x-status': '#{status}', 'x-body': '-#{body}-' } }],
  after: ['/after/#{status}'],
};
