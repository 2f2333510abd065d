import type { RunningLocalnet } from '@tidegate/localnet';
import { createRegistry, type Registry } from '../../registry/registry.ts';

/** The registry of the embedded cluster, from its off-chain metadata. */
export function createLocalnetRegistry(metadata: RunningLocalnet['metadata']): Registry {
  const { markets, stakePools, privateCreditVaults, tokens, seasons } = metadata;
  return createRegistry({ markets, stakePools, privateCreditVaults, tokenLabels: tokens, seasons });
}
