export default {
  before: [{ get: '/before', afterHooks: [(all) => void (all.runCtx.client = { close: () => {} })] }],
  main: ['/'],
  after: ['/after'],
};
