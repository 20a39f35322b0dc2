// The put-get workload with autocannon's `requests`: each pass of a connection uses a new index, kept in its context.
import autocannon from 'autocannon';

const [url, seconds, connections] = process.argv.slice(2);
let index = 0;

const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  requests: [
    {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
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
});
process.stdout.write(`${JSON.stringify(result)}\n`);
