import type { RunningLocalnet } from '@tidegate/localnet';
import { createRegistry, type Registry } from '../../registry/registry.ts';
import { knownTokenListings } from '../../registry/token-listing.ts';

/** The registry of the embedded cluster, from its off-chain metadata. */
export function createLocalnetRegistry(metadata: RunningLocalnet['metadata']): Registry {
  const { markets, stakePools, privateCreditVaults, tokens: tokenLabels, seasons } = metadata;
  const tokens = knownTokenListings;
  return createRegistry({ markets, tokens, stakePools, privateCreditVaults, tokenLabels, seasons });
}
