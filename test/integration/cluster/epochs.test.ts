import { expect, test } from 'vitest';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { startApi } from '../../support/http/test-api.ts';
import { SIMULATION_END } from '../../support/localnet/simulated-genesis.ts';

const SLOTS_PER_EPOCH = 432_000;
const PATIENTLY = { interval: 200 };

type Epoch = Readonly<Record<'epoch' | 'firstSlot' | 'lastSlot', number>> &
  Readonly<Record<'startBlockTime' | 'endBlockTime', string>>;

const isoOf = (unix: unknown): string => new Date(Number(unix) * 1000).toISOString();

test('finished epochs have the block times of the node, and the running one is not listed', async () => {
  const { api, rpcUrl } = await startGenesisApi();
  const { get } = api;
  const finished = Math.floor(Number(SIMULATION_END.slot) / SLOTS_PER_EPOCH);
  const read = async () => (await get('/epochs')).body as Epoch[];
  const isLast = async () => (await read()).at(-1)?.epoch;
  await expect.poll(isLast, PATIENTLY).toBe(finished - 1);
  const blockTime = async (slot: number) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBlockTime', params: [slot] });
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    return ((await (await fetch(rpcUrl, request)).json()) as { result: unknown }).result;
  };
  const epochs = await read();
  expect(epochs.length).toBeGreaterThan(2);
  for (const number of [finished - 1, finished - 2]) {
    const firstSlot = number * SLOTS_PER_EPOCH;
    const lastSlot = firstSlot + SLOTS_PER_EPOCH - 1;
    expect(epochs.find(({ epoch }) => epoch === number)).toEqual({
      epoch: number,
      firstSlot,
      lastSlot,
      startBlockTime: isoOf(await blockTime(firstSlot)),
      endBlockTime: isoOf(await blockTime(lastSlot)),
    });
  }
});

test('epochs without known times are left out, with the reason', async () => {
  const listEpochs = async () => ({
    epochs: [],
    missing: [
      { first: 0n, last: 850n, reason: 'the node has no blocks before slot 7' },
      { first: 852n, last: 852n, reason: 'not "known"' },
    ],
  });
  const { get } = await startApi({ clusters: goldenClusters({ listEpochs }) });
  const { status, body, headers } = await get('/epochs');
  expect([status, body]).toEqual([200, []]);
  expect(headers.get('x-omitted')).toBe(
    '0-850;reason="the node has no blocks before slot 7", 852;reason="not ?known?"',
  );
});
