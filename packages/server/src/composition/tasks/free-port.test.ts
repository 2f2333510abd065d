import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { CodedError } from '../../errors.ts';
import { openFreePort, type PortMove, requireFreePort } from './free-port.ts';

const HOST = '127.0.0.1';

/** Opens ports of which some are in use, and records what was tried and told. */
function search(inUse: readonly number[], options: { isDefault: boolean; width?: number }) {
  const tried: number[] = [];
  const moves: PortMove[] = [];
  const opened = openFreePort(
    { port: 8899, ...options, onMoved: (move) => void moves.push(move) },
    async (port) => {
      tried.push(port);
      const width = options.width ?? 1;
      const taken = inUse.find((each) => each >= port && each < port + width);
      if (taken !== undefined) throw new CodedError('ADDRESS_IN_USE', { host: HOST, port: taken });
      return `on ${port}`;
    },
  );
  return { opened, tried, moves };
}

test('a free default port is used, and nothing is told', async () => {
  const { opened, moves } = search([], { isDefault: true });
  expect([await opened, moves]).toEqual(['on 8899', []]);
});

test('a default port that is in use gives way to the next free one', async () => {
  const { opened, moves } = search([8899, 8900], { isDefault: true });
  expect([await opened, moves]).toEqual(['on 8901', [{ taken: 8899, used: 8901 }]]);
});

test('two ports that belong together give way together', async () => {
  const { opened, moves } = search([8900], { isDefault: true, width: 2 });
  expect([await opened, moves]).toEqual(['on 8901', [{ taken: 8900, used: 8901 }]]);
});

test('a port that was set is the only one that is tried', async () => {
  const { opened, tried, moves } = search([8899], { isDefault: false });
  await expect(opened).rejects.toMatchObject({ code: 'ADDRESS_IN_USE' });
  expect([tried, moves]).toEqual([[8899], []]);
});

test('if all are in use, the error names the first one', async () => {
  const inUse = Array.from({ length: 100 }, (_, index) => 8899 + index);
  const { opened, tried } = search(inUse, { isDefault: true });
  await expect(opened).rejects.toMatchObject({ context: { port: 8899 } });
  expect(tried.length).toBeLessThan(100);
});

test('another failure ends the search', async () => {
  const failing = { port: 8080, isDefault: true, onMoved: () => undefined };
  const opened = openFreePort(failing, () => Promise.reject(new Error('no permission')));
  await expect(opened).rejects.toThrow('no permission');
});

test('a port with a listener is in use, and one without is not', async () => {
  const server = createServer().listen(0, HOST);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(requireFreePort(HOST, port)).rejects.toMatchObject({ code: 'ADDRESS_IN_USE' });
  server.close();
  await once(server, 'close');
  expect(await requireFreePort(HOST, port)).toBe(port);
});
