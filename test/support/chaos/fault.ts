import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import type { ChaosCluster } from './chaos-cluster.ts';
import type { Member, Topology } from './topology.ts';

export type FaultContext = {
  readonly cluster: ChaosCluster;
  readonly topology: Topology;
  readonly random: SeededRandom;
};

/** What a fault was in detail, or why it cannot happen here. */
export type FaultOutcome = { readonly detail: string; readonly isSkipped?: boolean };

/** Happens, lasts for a while, and ends; resolves when it has ended. */
export type Fault = { readonly name: string; run(context: FaultContext): Promise<FaultOutcome> };

export const pick = <Item>(random: SeededRandom, items: readonly Item[]): Item => {
  const item = items[Number(random.between(0n, BigInt(items.length - 1)))];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

export async function pause(
  random: SeededRandom,
  [min, max]: readonly [number, number],
): Promise<number> {
  const ms = Number(random.between(BigInt(min), BigInt(max)));
  await sleep(ms);
  return ms;
}

export async function requireWriter({ topology }: FaultContext): Promise<Member> {
  const writer = await topology.findWriter();
  if (writer === undefined) throw new Error('no index process writes');
  return writer;
}
