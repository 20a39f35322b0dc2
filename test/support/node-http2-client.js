// The client of node:http2, in a process of its own: changed frames can end the process. Gets URLs, sends outcomes.
import http2 from 'node:http2';

process.on('message', ({ number, url, silenceMs }) => {
  const { origin, pathname } = new URL(url);
  const session = http2.connect(origin, { settings: { enablePush: false } });
  const end = (outcome) => {
    clearTimeout(timer);
    if (process.connected) process.send({ number, outcome });
    session.destroy();
  };
  const fail = (error) => end({ code: error?.code ?? 'closed' });
  // After a malformed header block a session may emit nothing, even if its connection ends.
  const timer = setTimeout(fail, silenceMs, { code: 'silent' });
  const stream = session.request({ ':path': pathname });
  let status = 0;
  let body = '';
  session.on('error', fail).on('close', fail);
  stream.setEncoding('latin1');
  stream.on('response', (headers) => (status = headers[':status']));
  stream.on('data', (text) => (body += text));
  stream.on('aborted', fail).on('error', fail);
  stream.on('close', () => (stream.rstCode === 0 && status > 0 ? end({ status, body }) : fail()));
});
process.on('disconnect', () => process.exit());
