import { vi } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { ONE_SF } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import type { Batch } from '#server/history/writing/batch.ts';
import { emptyRegistry, type Registry } from '#server/registry/registry.ts';
import { goldenCluster } from '../golden/golden.ts';
import { goldenReader } from '../golden/golden-reader.ts';
import { numberedAddress } from '../protocol/codecs.ts';
import { historyApis } from './history-api.ts';
import { MIDNIGHT, ratioOfThree, vaultPoint } from './history-rows.ts';

export const SOL = toAddress('So11111111111111111111111111111111111111112');
export const TOKEN = numberedAddress(7);

export const wholeToSf = (value: bigint): bigint => value * ONE_SF;

/** Half past noon of the day that starts at `MIDNIGHT`. */
export const NOW = MIDNIGHT + 45_000n;

/** A database is opened in the first test. */
const TIMEOUT_MS = 60_000;

type PastVaults = { readonly batch: Batch; readonly now?: bigint; readonly registry?: Registry };

/** The golden cluster with a past, at a time after it. */
export function vaultHistoryApis() {
  const startPastApi = historyApis();
  vi.setConfig({ testTimeout: TIMEOUT_MS });
  return async ({ batch, now = NOW, registry = emptyRegistry }: PastVaults) => {
    const { slot } = goldenCluster().at;
    const reader = goldenReader({ at: { slot, unix: toUnixSeconds(now) } });
    const api = await startPastApi({ reader, registry });
    await api.writer.append(batch);
    await api.vaultPasts.refresh();
    return api;
  };
}

type VaultPoint = Extract<SeriesPoint, { readonly kind: 'vault' }>;

/** A vault of a dollar token with six decimals and 1,000 shares, by the hour; `tokens` are what it holds for them. */
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
      aumSf: wholeToSf(tokens * 1_000_000n),
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
