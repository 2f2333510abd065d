import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startServer } from '../support/processes/run-tidegate.ts';

test('a request with incomplete headers gets 408 and its connection is closed', async () => {
  const { url, out } = await startServer();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /health HTTP/1.1\r\nhost: x\r\n');
  let response = '';
  for await (const chunk of socket) response += chunk;
  expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(response).toContain('{"error":"Request Timeout. The connection is closed."}');
  await expect.poll(out).toContain('"route":"unreadable","status":408');
});
