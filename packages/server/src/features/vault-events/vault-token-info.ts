import type { Address } from '@tidegate/core/base';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readLatestVaultRows } from '../../history/queries/vault-series.ts';

/** What never changes of a vault. */
export type VaultTokenInfo = {
  readonly mint: Address;
  readonly tokenDecimals: number;
  readonly sharesDecimals: number;
};

/** By its account, or by what was kept of it; a vault of which neither is there is unknown. */
export async function readVaultTokenInfo(
  { reader }: Pick<Cluster, 'reader'>,
  history: HistoryReader,
  vaults: Iterable<Address>,
): Promise<ReadonlyMap<Address, VaultTokenInfo>> {
  const facts = new Map<Address, VaultTokenInfo>();
  const gone: Address[] = [];
  for (const address of new Set(vaults)) {
    const fields = reader.vault(address)?.fields;
    if (fields === undefined) gone.push(address);
    else {
      facts.set(address, {
        mint: fields.tokenMint,
        tokenDecimals: Number(fields.tokenMintDecimals),
        sharesDecimals: Number(fields.sharesMintDecimals),
      });
    }
  }
  if (gone.length === 0) return facts;
  for (const { subject, ...kept } of await readLatestVaultRows(history, gone)) {
    const { mint, tokenDecimals, sharesDecimals } = kept;
    facts.set(subject, { mint, tokenDecimals, sharesDecimals });
  }
  return facts;
}
