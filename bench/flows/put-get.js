export default {
  main: [{ put: '/foo_#{INDEX}', json: 'mydata_#{INDEX}' }, { get: '/foo_#{INDEX}' }],
};
