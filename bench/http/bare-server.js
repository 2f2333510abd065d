import { createServer } from 'node:http';

// The least that Node can do: fixed headers, fixed bytes. It is told both, and tells its port and its CPU time.
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
