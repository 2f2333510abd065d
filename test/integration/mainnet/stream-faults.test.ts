import { describe, expect, test } from 'vitest';
import {
  expectFollowed,
  readClusterStatus,
  readVaultFee,
  waitForReady,
} from '../../support/recorded-mainnet/expect-followed.ts';
import type { NodeFaults } from '../../support/recorded-mainnet/node-faults.ts';
import { startRecordedMainnet } from '../../support/recorded-mainnet/recorded-mainnet.ts';
import { startServer } from '../../support/recorded-mainnet/start-server.ts';

describe('becomes ready and follows changes', () => {
  const faults: readonly [string, NodeFaults][] = [
    ['no fault', {}],
    ['no notifications of the clock account', { withoutClockNotifications: true }],
    ['a WebSocket that answers 404', { webSocket: 'not-found' }],
    ['a WebSocket that is refused', { webSocket: 'refused' }],
    ['subscriptions that are confirmed but silent', { silentSubscriptions: true }],
    ['no program subscriptions', { unknownMethods: ['programSubscribe'] }],
    ['no account subscriptions', { unknownMethods: ['accountSubscribe'] }],
  ];

  test.for(faults)('%s', async ([, fault]) => {
    const node = await startRecordedMainnet({ faults: fault });
    const api = await startServer(node);
    await waitForReady(api);
    expect(await readVaultFee(api)).toBe(0);
    await expectFollowed(node, api);
  });
});

describe('a stream that fails while it is followed', () => {
  const faults: readonly [string, NodeFaults][] = [
    ['no notifications of the clock account', { withoutClockNotifications: true }],
    ['subscriptions that become silent', { silentSubscriptions: true }],
  ];

  test.for(faults)('%s', async ([, fault]) => {
    const node = await startRecordedMainnet();
    const api = await startServer(node);
    await waitForReady(api);
    node.faults.set(fault);
    await expectFollowed(node, api);
  });
});

describe('a WebSocket that answers 404', () => {
  const serve = async (settings: { readonly sourceTiming?: 'default' } = {}) => {
    const node = await startRecordedMainnet({ faults: { webSocket: 'not-found' } });
    const api = await startServer(node, settings);
    await waitForReady(api);
    return { node, api };
  };

  test('is replaced by polling before a first message, with the default timing', async () => {
    await serve({ sourceTiming: 'default' });
  });

  test('is named in the status', async () => {
    const { api } = await serve();
    const { source } = await readClusterStatus(api);
    expect(source.step).toBe('polling');
    expect(JSON.stringify(source)).toContain('404');
  });

  test('is used again when it recovers', async () => {
    const { node, api } = await serve();
    node.faults.set({});
    await expect.poll(async () => (await readClusterStatus(api)).source.step).toBe('websocket');
    await expectFollowed(node, api);
  });
});

test('slots that stop are reported, and the state stays', async () => {
  const node = await startRecordedMainnet();
  const api = await startServer(node);
  await waitForReady(api);
  node.faults.set({ stoppedSlots: true });
  await expect.poll(async () => (await api.get('/ready')).status).toBe(503);
  expect(await readVaultFee(api)).toBe(0);
  node.faults.set({});
  await waitForReady(api);
});
