import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { hasCode } from '#server/errors.ts';
import { startGoldenLocalnet } from '../../../support/localnet/golden-localnet.ts';

async function opens(url: string): Promise<boolean> {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  return once(socket, 'open').then(
    () => true,
    () => false,
  );
}

/** A recently free port. */
async function somePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : 0;
}

test('a node on any free port serves HTTP and WebSocket on it', async () => {
  const { rpcUrl, wsUrl } = await startGoldenLocalnet();
  expect(wsUrl).toBe(rpcUrl.replace('http', 'ws'));
  expect(await opens(wsUrl)).toBe(true);
});

test('a node on an explicit port serves WebSocket on it and on the next one', async () => {
  const { localnet } = await startGoldenLocalnet();
  for (let attempt = 1; ; attempt++) {
    const port = await somePort();
    try {
      const { rpcUrl, wsUrl } = await localnet.addNode(port);
      expect([rpcUrl, wsUrl]).toEqual([`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port + 1}`]);
      expect(await opens(wsUrl)).toBe(true);
      expect(await opens(`ws://127.0.0.1:${port}`)).toBe(true);
      return;
    } catch (error) {
      // Another process may have taken one of the two ports.
      if (!hasCode(error, 'ADDRESS_IN_USE') || attempt === 5) throw error;
    }
  }
});

test('a port in use is reported, and nothing stays open', async () => {
  const { localnet } = await startGoldenLocalnet();
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    taken.close();
  });
  await once(taken, 'listening');
  const address = taken.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  await expect(localnet.addNode(port)).rejects.toMatchObject({
    code: 'ADDRESS_IN_USE',
    context: { port },
  });
  await expect(localnet.addNode(port - 1)).rejects.toMatchObject({ code: 'ADDRESS_IN_USE' });
  expect(await opens(`ws://127.0.0.1:${port - 1}`)).toBe(false);
});

test('a stopped node does not respond', async () => {
  const { localnet, rpcUrl, wsUrl } = await startGoldenLocalnet();
  const socket = new WebSocket(wsUrl);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  await localnet.stop();
  await closed;
  await expect(fetch(rpcUrl)).rejects.toThrow();
});
