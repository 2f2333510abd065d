import { expect, test } from 'vitest';
import { startServer, waitUntilReady } from '../support/processes/run-tidegate.ts';

test.each(['1', '2'])(
  'a second signal ends a server that drains, with %s workers',
  async (WORKERS) => {
    const server = await startServer({ DRAIN_SECONDS: '300', WORKERS });
    await waitUntilReady(server.url);
    server.process.kill('SIGTERM');
    const ready = async () => (await fetch(`${server.url}/ready`)).text();
    await expect.poll(ready).toContain('"shutdown"');
    expect((await fetch(`${server.url}/health`)).headers.get('connection')).toBe('close');
    server.process.kill('SIGTERM');
    // 128 and the number of the signal, as a shell reports it
    expect((await server.finished).code).toBe(143);
    await expect.poll(() => fetch(server.url).catch(() => 'refused')).toBe('refused');
  },
);
