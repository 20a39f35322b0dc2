// bench-rest -n 1000 -c 50 --serve examples/put-get.js
// #{INDEX} is the number of the iteration, so every iteration has its own document.
export default {
  baseUrl: 'http://localhost:8000',
  main: [{ put: '/foo_#{INDEX}', json: 'mydata_#{INDEX}' }, { get: '/foo_#{INDEX}' }],
};
