import { sfFromBits } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { sfToWholeTokens } from '@tidegate/core/views/vaults';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readLatestPoints, readLatestStates } from '../../history/queries/latest-rows.ts';
import type { SeriesRow } from '../../history/schema/series-tables.ts';
import type { PriceSample } from '../prices/recent-price-cache.ts';
import { farmRewardKey, IssuedRewards } from '../sampling/sample-farm-rewards.ts';
import { VaultTotalsAccumulator, type VaultTotalsState } from '../sampling/vault-totals.ts';
import type { RecorderState } from './history-recorder.ts';
import { LoanIndex } from './loan-index.ts';
import { ShareLedger } from './share-ledger.ts';

/** Restores the recorder's state from the newest day rows, or from the newest hour rows. */
export async function readRecorderCheckpoint(
  history: HistoryReader,
  reader: ClusterReader,
  resolution: 'hour' | 'day' = 'day',
): Promise<RecorderState> {
  const vaults = await readLatestPoints(history, 'vault', resolution);
  const rewards = await readLatestPoints(history, 'reward', resolution);
  const loans = new LoanIndex();
  const shares = new ShareLedger(reader);
  for await (const page of readLatestStates(history, 'obligationState')) loans.restore(page);
  for await (const page of readLatestStates(history, 'vaultHolding')) shares.restoreHoldings(page);
  for await (const page of readLatestStates(history, 'farmStake')) shares.restoreStakes(page);
  return {
    vaults: new VaultTotalsAccumulator(vaults.map((row) => [row.subject, toVaultTotalsState(row)])),
    rewards: new IssuedRewards(
      rewards.map(({ subject, mint, issued }) => [farmRewardKey(subject, mint), issued]),
    ),
    loans,
    shares,
  };
}

/** Prices at the end of the newest stored hour. */
export async function readLatestPrices(history: HistoryReader): Promise<readonly PriceSample[]> {
  const samples: PriceSample[] = [];
  for (const row of await readLatestPoints(history, 'price', 'hour')) {
    samples.push({ kind: 'price', ...row });
  }
  for (const row of await readLatestPoints(history, 'stakeRate', 'hour')) {
    samples.push({ kind: 'stakeRate', ...row });
  }
  for (const row of await readLatestPoints(history, 'vault', 'hour')) {
    samples.push({ kind: 'vault', ...row });
  }
  return samples;
}

function toVaultTotalsState(row: SeriesRow<'vault'>): VaultTotalsState {
  const wholeTokens = (sf: bigint) => sfToWholeTokens(sfFromBits(sf), BigInt(row.tokenDecimals));
  return {
    at: row.at,
    counters: {
      interest: wholeTokens(row.interestSf),
      managementFee: wholeTokens(row.managementFeeSf),
      performanceFee: wholeTokens(row.performanceFeeSf),
    },
    totals: row,
  };
}
