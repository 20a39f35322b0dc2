import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
server.on('connection', (socket) =>
  socket.on('error', () => {}).on('message', (data, binary) => socket.send(data, { binary })),
);
server.on('listening', () => process.send(`ws://127.0.0.1:${server.address().port}`));
process.on('disconnect', () => process.exit());
