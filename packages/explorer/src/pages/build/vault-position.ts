import type { VaultShareBalance } from '@tidegate/client';
import { apiRequest } from '../../api/resource.ts';
import { request } from '../../api/server.ts';
import type { SharePosition, ShareValue } from './vault-changes.ts';

/** A wallet’s position in a vault as it is now. */
export type VaultHolding = { readonly position: SharePosition; readonly value: ShareValue };

export type Holder = { readonly wallet: string; readonly vault: string };

export const positionsRequest = ({ wallet }: Holder) =>
  apiRequest('GET /kvaults/users/{pubkey}/positions', { path: { pubkey: wallet } });

export const shareValueRequest = ({ vault }: Holder) =>
  apiRequest('GET /kvaults/vaults/{pubkey}/metrics', { path: { pubkey: vault } });

/** The list has no vaults of which the wallet has no shares. */
export function positionIn(vault: string, balances: readonly VaultShareBalance[]): SharePosition {
  const found = balances.find(({ vaultAddress }) => vaultAddress === vault);
  return {
    staked: found?.stakedShares ?? '0',
    unstaked: found?.unstakedShares ?? '0',
    total: found?.totalShares ?? '0',
  };
}

/** Undefined if it cannot be read; the preview is shown without it. */
export async function readHolding(
  holder: Holder,
  signal: AbortSignal,
): Promise<VaultHolding | undefined> {
  const [balances, metrics] = await Promise.all([
    request(positionsRequest(holder), { signal }),
    request(shareValueRequest(holder), { signal }),
  ]);
  if (!balances.ok || !metrics.ok) return undefined;
  return { position: positionIn(holder.vault, balances.data), value: metrics.data };
}
