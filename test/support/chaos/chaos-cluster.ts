import type { Address } from '#core/base/encoding/address.ts';
import { type Slot, toSlot } from '#core/base/time.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { chainTimeAt } from '#localnet/runtime/slot-time.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { receiveTransaction } from '#localnet/runtime/transactions/received-transaction.ts';
import { type SimulatedCluster, simulateCluster } from '#localnet/simulation/simulate-cluster.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { SimulatedActivity } from './simulated-activity.ts';

const SEED = 'chaos';
const DAYS = 1;

/** A simulated cluster that runs in this process, so that every account of every slot is known. */
export type ChaosCluster = {
  readonly simulated: SimulatedCluster;
  readonly localnet: Localnet;
  /** The port of its only node. */
  readonly port: number;
  /** Slots that were undone, and repeated. */
  readonly undoneSlots: ReadonlySet<bigint>;
  /** Undoes the last slots, and sends every other of their transactions again. Returns the newest slot before. */
  rollBack(slots: number): Promise<Slot>;
  stop(): Promise<void>;
};

export async function startChaosCluster(): Promise<ChaosCluster> {
  const plan = { seed: SEED, days: DAYS, until: chainTimeAt(Date.now()) };
  const executor = createModelExecutor(modelPrograms());
  const simulated = simulateCluster(plan, { executor, log: silentLog });
  const { cluster } = simulated;
  const activity = new SimulatedActivity(simulated, silentLog);
  const localnet = new Localnet({
    cluster,
    plan,
    now: Date.now,
    log: silentLog,
    backgroundActivity: activity,
  });
  const { rpcUrl } = await localnet.addNode(0);
  const undoneSlots = new Set<bigint>();
  localnet.tick();
  localnet.start();
  return {
    simulated,
    localnet,
    port: Number(new URL(rpcUrl).port),
    undoneSlots,
    async rollBack(slots) {
      const { slot } = cluster.bank;
      const after = toSlot(slot - BigInt(slots));
      const dropped = [...cluster.transactions.ledger.between(after, slot)];
      await localnet.rollBack(BigInt(slots));
      for (let each = after + 1n; each <= slot; each++) undoneSlots.add(each);
      for (const { wire } of dropped.filter((_, i) => i % 2 === 0)) {
        localnet.transactions.submit(receiveTransaction(wire));
      }
      return slot;
    },
    stop: () => localnet.stop(),
  };
}

/** Accounts that changed in a slot, as they are at its end. */
export function changesOf(
  { bank }: SimulatedCluster['cluster'],
  after: Slot,
): readonly (readonly [Address, ReturnType<typeof bank.account>])[] {
  const addresses = new Set(
    bank.changesBetween(after, bank.slot).flatMap((each) => each.addresses),
  );
  const { account } = bank.view(bank.slot);
  return [...addresses].map((address) => [address, account(address)] as const);
}
