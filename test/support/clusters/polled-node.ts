import { expect, onTestFinished } from 'vitest';
import { PollingSource } from '#server/chain/polling/polling-source.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import type { AccountUpdate, SubscriptionTarget } from '#server/chain/source/chain-source.ts';
import { FakeNode } from '../fakes/fake-node.ts';
import { silentLog } from '../fakes/silent-log.ts';

const soon = { interval: 2 };

/** A node and a source that polls it, every 100 ms of a clock that the test advances. */
export async function startPolling(discoverMs?: number) {
  const node = await FakeNode.start();
  const time = { now: 0, reads: 0 };
  const clock = () => {
    time.reads += 1;
    return time.now;
  };
  const reader = createRpcSource({
    url: node.url,
    commitment: 'confirmed',
    clock,
    maxLagSlots: 100n,
  });
  const timing = { pollMs: 2, scanMs: 100, discoverMs: discoverMs ?? 100 };
  const options = { clock, random: () => 0, log: silentLog, ...timing };
  const source = new PollingSource(reader, options);
  onTestFinished(async () => {
    source.close();
    reader.close();
    await node.stop();
  });
  const updates: AccountUpdate[] = [];
  const slots: [bigint, bigint | undefined][] = [];
  const gaps: string[] = [];
  const subscribe = (target: SubscriptionTarget) =>
    source.subscribe(target, {
      onAccount: (update) => updates.push(update),
      onSlot: (slot, unix) => slots.push([slot, unix]),
      onGap: (reason) => gaps.push(reason),
    });
  /** Waits until a poll that has begun is over: the next ones read the clock and find nothing due. */
  async function settle() {
    const before = time.reads;
    await expect.poll(() => time.reads, soon).toBeGreaterThan(before + 20);
  }
  async function pollAgain(method: string) {
    const before = node.countRequests(method);
    time.now += 101;
    await expect.poll(() => node.countRequests(method), soon).toBeGreaterThan(before);
    await settle();
  }
  /** Waits until the program was scanned again. */
  const rescan = () => pollAgain('getProgramAccounts');
  /** Waits until the known accounts were read again. */
  const readAgain = () => pollAgain('getMultipleAccounts');
  return { node, source, subscribe, updates, slots, gaps, rescan, readAgain, settle };
}
