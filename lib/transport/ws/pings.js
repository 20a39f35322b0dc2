/** @import { WebSocket } from 'ws' */

/**
 * Answers the pings of a server, one pong at a time: while one is being written, only the last of further pings is kept
 * (RFC 6455 5.5.3), so that a flood of them takes no memory. The automatic pongs of ws end the connection after 60 of them.
 *
 * @param {WebSocket} socket
 */
export function answerPings(socket) {
  let isWriting = false;
  /** of the last ping that is not answered @type {Buffer | null} */
  let waiting = null;

  /** @type {(data: Buffer) => void} */
  const answer = (data) => {
    isWriting = true;
    socket.pong(data, true, () => {
      isWriting = false;
      const next = waiting;
      waiting = null;
      if (next !== null && socket.readyState === socket.OPEN) answer(next);
    });
  };

  socket.on('ping', (data) => {
    if (socket.readyState !== socket.OPEN) return;
    if (isWriting) waiting = data;
    else answer(data);
  });
}
