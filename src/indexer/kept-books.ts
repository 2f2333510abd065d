import { sfFromBits } from '../base/fixed.ts';
import { readLastPoints, readLastStates } from '../history/queries/last-rows.ts';
import type { HistoryReader } from '../history/queries/reader.ts';
import type { SeriesRow } from '../history/series-tables.ts';
import type { ClusterReader } from '../state/reader.ts';
import { wholeTokens } from '../views/vault-metrics.ts';
import { LoanBook } from './loan-book.ts';
import type { RecorderBooks } from './recorder.ts';
import { RewardBooks, rewardKey } from './reward-points.ts';
import { ShareBook } from './share-book.ts';
import { type KeptVault, VaultBooks } from './vault-sums.ts';

/** Where recording stopped, to go on from there. */
export async function readBooks(
  history: HistoryReader,
  reader: ClusterReader,
): Promise<RecorderBooks> {
  const vaults = await readLastPoints(history, 'vault');
  const rewards = await readLastPoints(history, 'reward');
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
