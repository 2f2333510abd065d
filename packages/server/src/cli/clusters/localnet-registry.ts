import type { RunningLocalnet } from '@tidegate/localnet';
import { createRegistry, type Registry } from '../../registry/registry.ts';

/** What the embedded cluster says of itself beside its accounts. */
export function createLocalnetRegistry(facts: RunningLocalnet['facts']): Registry {
  const { markets, stakePools, privateCreditVaults, tokens, seasons } = facts;
  return createRegistry({ markets, stakePools, privateCreditVaults, tokenLabels: tokens, seasons });
}
