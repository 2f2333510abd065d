import type { Address } from '@tidegate/core/base';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readLatestVaultRows } from '../../history/queries/vault-series.ts';

/** Immutable properties of a vault. */
export type VaultTokenInfo = {
  readonly mint: Address;
  readonly tokenDecimals: number;
  readonly sharesDecimals: number;
};

/** From the vault account, or from the newest sample of a closed vault. Omits unknown vaults. */
export async function readVaultTokenInfo(
  { reader }: Pick<Cluster, 'reader'>,
  history: HistoryReader,
  vaults: Iterable<Address>,
): Promise<ReadonlyMap<Address, VaultTokenInfo>> {
  const tokenInfo = new Map<Address, VaultTokenInfo>();
  const closedVaults: Address[] = [];
  for (const address of new Set(vaults)) {
    const fields = reader.vault(address)?.fields;
    if (fields === undefined) closedVaults.push(address);
    else {
      tokenInfo.set(address, {
        mint: fields.tokenMint,
        tokenDecimals: Number(fields.tokenMintDecimals),
        sharesDecimals: Number(fields.sharesMintDecimals),
      });
    }
  }
  if (closedVaults.length === 0) return tokenInfo;
  for (const { subject, ...sample } of await readLatestVaultRows(history, closedVaults)) {
    const { mint, tokenDecimals, sharesDecimals } = sample;
    tokenInfo.set(subject, { mint, tokenDecimals, sharesDecimals });
  }
  return tokenInfo;
}
