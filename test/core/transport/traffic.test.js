import { EventEmitter } from 'node:events';

import { expect } from 'chai';

import { NO_TRAFFIC, Traffic, addTotals, isStillWriting, subtractTotals } from '../../../lib/core/transport/traffic.js';

/** A socket that has sent and received so many bytes. */
function socketOf(bytesWritten, bytesRead) {
  const socket = Object.assign(new EventEmitter(), { bytesWritten, bytesRead, isDestroyed: false });
  socket.destroy = () => {
    socket.isDestroyed = true;
    setImmediate(() => socket.emit('close'));
  };
  return socket;
}

describe('transport/traffic', () => {
  it('counts the bytes of open and of closed sockets once', () => {
    const traffic = new Traffic();
    const [open, closed] = [socketOf(1, 2), socketOf(10, 20)];
    traffic.add(open);
    traffic.add(closed);
    expect(traffic.sum()).to.include({ bytesSent: 11, bytesReceived: 22 });
    closed.emit('close');
    expect(traffic.sum()).to.include({ bytesSent: 11, bytesReceived: 22 });
    open.bytesRead = 5;
    expect(traffic.sum()).to.include({ bytesSent: 11, bytesReceived: 25 });
  });

  it('end destroys every socket and waits until all are closed', async () => {
    const traffic = new Traffic();
    const sockets = [socketOf(1, 1), socketOf(1, 1)];
    for (const socket of sockets) traffic.add(socket);
    await traffic.end();
    expect(sockets.map(({ isDestroyed }) => isDestroyed)).to.deep.equal([true, true]);
    expect(traffic.totals).to.include({ bytesSent: 2, bytesReceived: 2 });
  });

  it('the difference of a sum and one part is the other part', () => {
    const names = Object.keys(NO_TRAFFIC);
    const one = Object.fromEntries(names.map((name, i) => [name, i]));
    const other = Object.fromEntries(names.map((name, i) => [name, 10 * i]));
    expect(subtractTotals(addTotals([one, other]), one)).to.deep.equal(other);
    expect(addTotals([])).to.deep.equal(NO_TRAFFIC);
  });

  it('a request is still being written if more than one TLS record is buffered', () => {
    expect([2 ** 14, 2 ** 14 + 1].map((writableLength) => isStillWriting({ writableLength }))).to.deep.equal([
      false,
      true,
    ]);
  });
});
