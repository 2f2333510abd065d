import { expect, onTestFinished, test } from 'vitest';
import { addressFromBytes, toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { createLocalCluster } from '#localnet/cluster/cluster.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { NO_FAULTS } from '#localnet/rpc/faults.ts';
import { chainTimeAt } from '#localnet/runtime/slot-time.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import type { AccountUpdate, SubscriptionListener } from '#server/chain/source/chain-source.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const scan = { program, filters: [] };
const addressOf = (byte: number) => addressFromBytes(new Uint8Array(32).fill(byte));
const account = (byte: number) => ({
  owner: program,
  lamports: 18_446_744_073_709_551_615n,
  data: new Uint8Array(500).fill(byte, 100, 200),
});
const soon = { interval: 5 };

/** Two nodes of an embedded cluster with manual slots, and a source that reads them. */
async function setUp({ withUpdates }: { readonly withUpdates: boolean }) {
  const time = { now: 1_700_000_000_000 };
  const accounts = new Map([[addressOf(1), account(1)]]);
  const origin = chainTimeAt(time.now);
  const localnet = new Localnet({
    cluster: createLocalCluster({ accounts, origin, seed: 's' }),
    now: () => time.now,
    log: silentLog,
  });
  const nodes = [await localnet.addNode(0), await localnet.addNode(0)] as const;
  const source = createClusterSource({
    rpcUrls: nodes.map(({ rpcUrl }) => new URL(rpcUrl)),
    wsUrls: withUpdates ? nodes.map(({ wsUrl }) => new URL(wsUrl)) : [],
    commitment: 'confirmed',
    clock: Date.now,
    random: () => 0,
    log: silentLog,
    scanMs: 10,
    discoverMs: 10,
  });
  onTestFinished(async () => {
    source.close();
    await localnet.stop();
  });
  const advanceSlots = (slots: number) => {
    time.now += 400 * slots;
    localnet.tick();
  };
  return { localnet, nodes, source, advanceSlots };
}

function recorder() {
  const updates: AccountUpdate[] = [];
  const slots: bigint[] = [];
  const gaps: string[] = [];
  const listener: SubscriptionListener = {
    onAccount: (update) => updates.push(update),
    onSlot: (slot) => slots.push(slot),
    onGap: (reason) => gaps.push(reason),
  };
  return { updates, slots, gaps, listener };
}

test.each([{ withUpdates: true }, { withUpdates: false }])(
  'a change arrives before its slot and can be read at that slot: %o',
  async (options) => {
    const { localnet, source, advanceSlots } = await setUp(options);
    const { updates, slots, listener } = recorder();
    await source.subscribe({ kind: 'program', scan }, listener).ready;
    await source.subscribe({ kind: 'slots' }, listener).ready;
    const before = await source.scanProgram(scan);
    expect(before.accounts).toEqual([{ address: addressOf(1), account: account(1) }]);
    localnet.bank.setAccount(addressOf(2), account(2));
    advanceSlots(1);
    const changedAt = localnet.bank.slot;
    advanceSlots(1);
    advanceSlots(1);
    await expect.poll(() => slots.some((slot) => slot >= changedAt), soon).toBe(true);
    const [update] = updates;
    expect(updates.length).toBe(1);
    expect(update).toMatchObject({ address: addressOf(2), account: account(2) });
    const read = await source.getAccounts([addressOf(2), addressOf(3)], toSlot(changedAt));
    expect(read.accounts).toEqual([account(2), undefined]);
  },
);

test('a source switches to the other node when one falls 200 slots behind, and reads nothing older', async () => {
  const { localnet, nodes, source, advanceSlots } = await setUp({ withUpdates: true });
  const { gaps, listener } = recorder();
  for (let i = 0; i < 250; i++) advanceSlots(1);
  await source.subscribe({ kind: 'program', scan }, listener).ready;
  const newest = (await source.getSlotTime()).slot;
  nodes[0].node.faults.set({ ...NO_FAULTS, lagSlots: 200 });
  expect((await source.getAccounts([addressOf(1)])).slot).toBeGreaterThanOrEqual(newest);
  nodes[0].node.dropWebSockets();
  await expect.poll(() => gaps.length, soon).toBe(1);
  expect(source.status().updates.endpoints.map(({ connected }) => connected)).toEqual([
    false,
    true,
  ]);
  expect(localnet.bank.slot).toBeGreaterThan(newest);
});

test('the genesis hash, the time and the slot duration are those of the cluster', async () => {
  const { localnet, source, advanceSlots } = await setUp({ withUpdates: false });
  advanceSlots(1);
  expect(await source.getGenesisHash()).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  const { slot, unix } = await source.getSlotTime();
  expect(slot).toBe(localnet.bank.slot - 1n);
  expect(unix).toBe(localnet.timeOf(slot).unix);
  const slotMs = await source.getSlotDurationMs();
  expect(slotMs && slotMs.numerator / slotMs.denominator).toBe(400n);
});
