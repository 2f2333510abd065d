import {
  type Address,
  DAY_SECONDS,
  type Ratio,
  type TimeRange,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import {
  SLOTS_PER_EPOCH,
  type StakePoolSample,
  viewEpochYields,
} from '@tidegate/core/views/rewards';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readSeries } from '../../history/queries/time-series.ts';

/** Ten epochs take at most twenty days; the rest is for epochs without samples. */
export const YIELD_LOOKBACK_SECONDS = 40n * DAY_SECONDS;

/** The time whose samples make the newest yields. */
export function recentYieldRange({ reader }: Cluster): TimeRange {
  const { unix } = reader.at();
  return { start: toUnixSeconds(unix - YIELD_LOOKBACK_SECONDS), end: toUnixSeconds(unix + 1n) };
}

/** The yields of the newest epochs of a stake pool, oldest first. */
export async function readRecentYields(
  cluster: Cluster,
  history: HistoryReader,
  mint: Address,
): Promise<readonly Ratio[]> {
  const samples = await readPoolSamples(history, mint, recentYieldRange(cluster));
  return viewEpochYields(addPreviousEpoch(samples, cluster, mint), cluster.reader.slotMs());
}

/** The daily samples of a stake pool, oldest first. */
export async function readPoolSamples(
  history: HistoryReader,
  mint: Address,
  { start, end }: TimeRange,
): Promise<readonly StakePoolSample[]> {
  const samples: StakePoolSample[] = [];
  const series = { kind: 'stakeRate', resolution: 'day', subject: mint } as const;
  const range = { from: start, to: end };
  for await (const rows of readSeries(history, series, range)) samples.push(...rows);
  return samples;
}

/** The account of a pool has the amounts of its previous epoch, which may not be sampled. */
function addPreviousEpoch(
  samples: readonly StakePoolSample[],
  { recording }: Cluster,
  mint: Address,
): readonly StakePoolSample[] {
  const pool = recording?.stakePools().get(mint);
  if (pool?.previous === undefined) return samples;
  const { lastUpdateEpoch, previous } = pool;
  const { poolTokenSupply: tokens, totalLamports: lamports } = previous;
  const end = toSlot(lastUpdateEpoch * SLOTS_PER_EPOCH);
  if (samples.some(({ slot }) => slot < end)) return samples;
  const current = { slot: end, lamports: pool.totalLamports, tokens: pool.poolTokenSupply };
  const known = samples.length === 0 ? [current] : samples;
  return [{ slot: toSlot(end - 1n), lamports, tokens }, ...known];
}
