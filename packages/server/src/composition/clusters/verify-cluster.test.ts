import type { Logger } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { CodedError } from '../../errors.ts';
import { waitForCluster } from './verify-cluster.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** A source whose first requests fail. */
function createSource(failures: readonly CodedError[]): ClusterSource {
  const left = [...failures];
  const source: Pick<ClusterSource, 'getGenesisHash' | 'status'> = {
    async getGenesisHash() {
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return MAINNET;
    },
    status: () => ({
      requests: [],
      alarms: [],
      updates: { step: 'polling', activeMs: 0, reason: '', steps: [], endpoints: [] },
      absences: { confirmed: 0, refuted: 0 },
    }),
  };
  return source as ClusterSource;
}

async function waitFor(failures: readonly CodedError[]) {
  const messages: string[] = [];
  const pauses: number[] = [];
  const add = (_: object, message: string) => messages.push(message);
  const log: Logger = { ...silentLog, info: add, warn: add, error: add };
  await waitForCluster({
    env: 'mainnet-beta',
    rpcSetting: 'RPC_URL',
    source: createSource(failures),
    log,
    signal: new AbortController().signal,
    sleep: async (ms) => pauses.push(ms),
  });
  return { messages, pauses };
}

const down = () =>
  new CodedError('SOURCE_UNAVAILABLE', { source: 'rpc a.example', reason: 'no connection' });

test('a cluster that does not respond is reported once, and when it responds', async () => {
  const { messages, pauses } = await waitFor(Array.from({ length: 8 }, down));
  expect(messages).toEqual(['the cluster does not respond yet', 'the cluster responds']);
  expect(pauses).toHaveLength(8);
  expect(pauses[0]).toBeGreaterThanOrEqual(2_000);
  expect(pauses[0]).toBeLessThanOrEqual(4_000);
  expect(pauses[7]).toBeGreaterThanOrEqual(15_000);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(30_000);
});

test('a cluster that responds at once is not reported', async () => {
  expect(await waitFor([])).toEqual({ messages: [], pauses: [] });
});

test('endpoints without getGenesisHash are used, and reported as not verified', async () => {
  const rejection = 'unknown-method' as const;
  const reason = 'it does not support getGenesisHash';
  const refused = new CodedError('SOURCE_REFUSES', { source: 'rpc', reason, rejection });
  expect(await waitFor([refused])).toEqual({
    messages: ['the cluster of the endpoints is not verified'],
    pauses: [],
  });
});
