import { type DeployedProgram, firstSlotAfter } from '@tidegate/core/protocol/releases';
import { storeDelivery } from '../history/hooks/delivery-writes.ts';
import { readHooks } from '../history/hooks/hook-reads.ts';
import type { History } from '../history/open-history.ts';
import { rulesVersion, unknownSince } from '../programs/cluster-programs.ts';
import type { MeasuredCluster } from './measures.ts';
import { type CreateDelivery, DELIVERY_TYPES, type JsonObject } from './payload.ts';
import { parseStoredTrigger } from './trigger-schema.ts';

type UpgradeOptions = {
  readonly history: Pick<History, 'db'>;
  readonly reader: MeasuredCluster['reader'];
  readonly createDelivery: CreateDelivery;
};

/**
 * Stores a delivery for each hook and each program that was deployed after the hook was created, also while no server ran.
 * A hook has one delivery of each deployment, however often this is called. Returns whether there are such hooks.
 */
export async function storeUpgradeDeliveries(
  { history, reader, createDelivery }: UpgradeOptions,
  programs: readonly DeployedProgram[],
): Promise<boolean> {
  const stored = await readHooks(history.db);
  const hooks = stored.flatMap(({ id, state, since_slot: since, trigger: text }) => {
    const trigger = parseStoredTrigger(text);
    const isWaiting = state === 'active' && trigger.type === 'programUpgraded';
    return isWaiting ? [{ id, since, program: trigger.program }] : [];
  });
  const at = reader.at();
  for (const hook of hooks) {
    for (const deployed of programs) {
      const { program, deploySlot, hash } = deployed;
      const isWatched = hook.program === undefined || hook.program === program;
      if (!isWatched || deploySlot <= hook.since) continue;
      const key = `program:${program}@${deploySlot}:${hash}`;
      const type = DELIVERY_TYPES.programUpgraded;
      const data = upgradeJson(deployed, reader);
      await storeDelivery(history.db, createDelivery({ hook: hook.id, type, key, at, data }));
    }
  }
  return hooks.length > 0;
}

function upgradeJson(deployed: DeployedProgram, reader: MeasuredCluster['reader']): JsonObject {
  const { program, address, deploySlot, hash, size, authority, release } = deployed;
  return {
    program,
    address,
    deploySlot: deploySlot.toString(),
    release: release?.version ?? null,
    unknownSince: unknownSince(deployed)?.toString() ?? null,
    rules: rulesVersion(program, reader.rulesAt(firstSlotAfter(deploySlot))) ?? null,
    hash,
    size,
    authority: authority ?? null,
  };
}
