import { sfFromBits } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { wholeTokens } from '@tidegate/core/views/vaults';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readLastPoints, readLastStates } from '../../history/queries/latest-rows.ts';
import type { SeriesRow } from '../../history/schema/series-tables.ts';
import type { PricedSample } from '../prices/recent-price-cache.ts';
import { RewardBooks, rewardKey } from '../sampling/sample-farm-rewards.ts';
import { type KeptVault, VaultBooks } from '../sampling/vault-totals.ts';
import type { RecorderBooks } from './history-recorder.ts';
import { LoanBook } from './loan-index.ts';
import { ShareBook } from './share-ledger.ts';

/** Where recording stopped, to go on from there: with a day, or with an hour of one. */
export async function readBooks(
  history: HistoryReader,
  reader: ClusterReader,
  resolution: 'hour' | 'day' = 'day',
): Promise<RecorderBooks> {
  const vaults = await readLastPoints(history, 'vault', resolution);
  const rewards = await readLastPoints(history, 'reward', resolution);
  const holdings = await readLastStates(history, 'vaultHolding');
  const stakes = await readLastStates(history, 'farmStake');
  return {
    vaults: new VaultBooks(vaults.map((row) => [row.subject, keptVault(row)])),
    rewards: new RewardBooks(
      rewards.map(({ subject, mint, issued }) => [rewardKey(subject, mint), issued]),
    ),
    loans: new LoanBook(await readLastStates(history, 'obligationState')),
    shares: new ShareBook(reader, { holdings, stakes }),
  };
}

/** What things were worth at the end of the last hour that is kept. */
export async function readPrices(history: HistoryReader): Promise<readonly PricedSample[]> {
  const samples: PricedSample[] = [];
  for (const row of await readLastPoints(history, 'price', 'hour')) {
    samples.push({ kind: 'price', ...row });
  }
  for (const row of await readLastPoints(history, 'stakeRate', 'hour')) {
    samples.push({ kind: 'stakeRate', ...row });
  }
  for (const row of await readLastPoints(history, 'vault', 'hour')) {
    samples.push({ kind: 'vault', ...row });
  }
  return samples;
}

function keptVault(row: SeriesRow<'vault'>): KeptVault {
  const whole = (sf: bigint) => wholeTokens(sfFromBits(sf), BigInt(row.tokenDecimals));
  return {
    at: row.at,
    counted: {
      interest: whole(row.interestSf),
      managementFee: whole(row.managementFeeSf),
      performanceFee: whole(row.performanceFeeSf),
    },
    sums: row,
  };
}
