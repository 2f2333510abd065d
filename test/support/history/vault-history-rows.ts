import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { ONE_SF } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import type { Batch } from '#server/history/writing/batch.ts';
import { emptyRegistry, type Registry } from '#server/registry/registry.ts';
import { goldenCluster } from '../golden/golden.ts';
import { goldenReader } from '../golden/golden-reader.ts';
import { numberedAddress } from '../protocol/codecs.ts';
import { startHistoryApi } from './history-api.ts';
import { MIDNIGHT, ratioOfThree, vaultPoint } from './history-rows.ts';

export const SOL = toAddress('So11111111111111111111111111111111111111112');
export const TOKEN = numberedAddress(7);

export const wholeToSf = (value: bigint): bigint => value * ONE_SF;

/** 12:30 on the day that starts at `MIDNIGHT`. */
export const NOW = MIDNIGHT + 45_000n;

type VaultHistory = { readonly batch: Batch; readonly now?: bigint; readonly registry?: Registry };

/** Serves the golden cluster with a vault history, at a time after the history. */
export async function startVaultHistoryApi({
  batch,
  now = NOW,
  registry = emptyRegistry,
}: VaultHistory) {
  const { slot } = goldenCluster().at;
  const reader = goldenReader({ at: { slot, unix: toUnixSeconds(now) } });
  const api = await startHistoryApi({ reader, registry });
  await api.writer.append(batch);
  await api.vaultPasts.refresh();
  return api;
}

type VaultPoint = Extract<SeriesPoint, { readonly kind: 'vault' }>;

/** An hourly sample of a vault with 1,000 shares of a dollar token with six decimals; `tokens` are its assets. */
export const vaultHourPoint = (
  subject: Address,
  at: bigint,
  { tokens, ...changes }: Partial<VaultPoint> & { readonly tokens: bigint },
): VaultPoint =>
  vaultPoint(
    { subject, at, slot: at },
    {
      resolution: 'hour',
      mint: TOKEN,
      sharesIssued: 1_000_000_000n,
      heldSf: wholeToSf(tokens * 1_000_000n),
      aumSf: wholeToSf(tokens * 1_000_000n),
      pendingFeesSf: 0n,
      priceSf: wholeToSf(1n),
      solPriceSf: wholeToSf(100n),
      theoreticalApr: ratioOfThree(0n),
      reserves: [],
      investedSf: [],
      supplyAprsSf: [],
      rewardAprsSf: [],
      ...changes,
    },
  );
