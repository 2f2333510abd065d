import type { Vault } from '@tidegate/client';
import type { ListedReserve } from '../api/directory.ts';

/** Symbol of the token of a vault; empty if no reserve has it. */
export const vaultTokenSymbol = (
  vault: Vault | undefined,
  reserves: readonly ListedReserve[],
): string =>
  reserves.find(({ liquidityTokenMint }) => liquidityTokenMint === vault?.state.tokenMint)
    ?.liquidityToken ?? '';
