/** over TLS a response may come before the word that its request is out: what fits one record is (RFC 8446 5.1) */
const ONE_RECORD_BYTES = 2 ** 14;

/** Whether a request is not out yet: a server that answered it has not read it to its end. @type {(socket: import('node:net').Socket) => boolean} */
export function isStillWriting(socket) {
  return socket.writableLength > ONE_RECORD_BYTES;
}
