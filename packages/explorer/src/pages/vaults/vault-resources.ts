import type { Vault, VaultAllocations, VaultMetrics } from '@tidegate/client';
import type { ListedReserve } from '../../api/directory.ts';
import type { Resource } from '../../api/resource.ts';
import type { AvailableTokens } from '../../vaults/vault-withdrawals.ts';

/** What the blocks of a vault's page show. */
export type VaultResources = {
  readonly address: string;
  readonly vault: Resource<Vault>;
  readonly metrics: Resource<VaultMetrics>;
  readonly allocations: Resource<VaultAllocations>;
  /** Of listed markets. */
  readonly reserves: readonly ListedReserve[];
  /** Of the reserves that the vault lends to. */
  readonly available: AvailableTokens;
  /** Of the token; empty if not known. */
  readonly symbol: string;
};
