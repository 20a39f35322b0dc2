// Workloads of several requests with autocannon's `requests`; what a connection keeps is in its context.
import autocannon from 'autocannon';

const [work, url, seconds, connections] = process.argv.slice(2);
let index = 0;
const headers = { 'content-type': 'application/json' };

const WORKS = {
  /** each pass of a connection uses a new index */
  'put-get': [
    {
      method: 'PUT',
      headers,
      setupRequest(request, context) {
        context.index = index++;
        request.path = `/foo_${context.index}`;
        request.body = JSON.stringify(`mydata_${context.index}`);
        return request;
      },
    },
    {
      method: 'GET',
      setupRequest(request, context) {
        request.path = `/foo_${context.index}`;
        return request;
      },
    },
  ],
  /** the second request needs the id that the first one got */
  capture: [
    {
      method: 'POST',
      path: '/items',
      headers,
      body: JSON.stringify({ name: 'item' }),
      onResponse(status, body, context) {
        context.id = JSON.parse(body).id;
      },
    },
    {
      method: 'GET',
      setupRequest(request, context) {
        request.path = `/items/${context.id}`;
        return request;
      },
    },
  ],
};

const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  requests: WORKS[work],
});
process.stdout.write(`${JSON.stringify(result)}\n`);
