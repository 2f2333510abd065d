import { createServer } from 'node:http';

// The minimum for Node: fixed headers and bytes, received over IPC. Reports its port and its CPU time.
let headers = [];
let bytes = Buffer.alloc(0);

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.on('message', ({ sample }) => {
  if (sample !== undefined) {
    headers = sample.headers;
    bytes = Buffer.from(sample.body, 'base64');
  }
  const { user, system } = process.cpuUsage();
  process.send({ cpuSeconds: (user + system) / 1e6 });
});
