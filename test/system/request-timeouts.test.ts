import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startServer, temporaryFolder } from '../support/processes/run-tidegate.ts';

test('a caller that never finishes its headers is told so and cut off', async () => {
  const { url, out } = await startServer({ DATA_DIR: temporaryFolder() });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /health HTTP/1.1\r\nhost: x\r\n');
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(answer).toContain('{"error":"Request Timeout. The connection is closed."}');
  await expect.poll(out).toContain('"route":"unreadable","status":408');
});
