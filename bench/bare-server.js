import { createServer } from 'node:http';

// The least that Node can do: fixed headers, fixed bytes. It is told both, and tells its port and CPU time.
// With `beside` it first loads the modules of the program, so that it runs in a process of the same size.
process.once('message', async ({ headers, body, beside }) => {
  for (const module of beside) await import(module);
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  });
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuSeconds: (user + system) / 1e6 });
  });
});
