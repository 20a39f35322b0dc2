// bench-rest -n 1000 -c 50 --serve examples/simple.js
export default {
  baseUrl: 'http://localhost:8000',
  main: [{ get: '/' }],
};
