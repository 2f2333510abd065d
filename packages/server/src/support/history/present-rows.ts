import {
  type Address,
  addRatio,
  divRatioOrZero,
  mulRatio,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { type FarmReward, viewVaultSeasonRates } from '@tidegate/core/views/rewards';
import {
  type RewardApr,
  sampleSharePrices,
  sampleTokens,
  type VaultPointRewards,
  viewVaultSample,
} from '@tidegate/core/views/series';
import { computeVaultSnapshot, type VaultViewContext } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import type { ReserveSnapshotRow } from '../../history/queries/reserve-snapshots.ts';
import {
  fromReservePoint,
  ReserveConfigCache,
  toReservePoint,
} from '../../history/rows/reserve-points.ts';
import {
  toVaultPoint,
  type VaultTotals,
  ZERO_VAULT_TOTALS,
} from '../../history/rows/vault-points.ts';
import {
  bucketSeconds,
  type Resolution,
  type SeriesRow,
} from '../../history/schema/series-tables.ts';

/*
 * Rows of the current state, computed as a sample of this moment would be. The time of such a row is now, so that its
 * bucket is not on a full minute, hour or day.
 */

const configs = new ReserveConfigCache();

/** Undefined for an unknown reserve, or one without a price. */
export function presentReserveRow(
  { reader }: Cluster,
  pricing: VaultViewContext,
  { reserve, resolution }: { readonly reserve: Address; readonly resolution: Resolution },
): ReserveSnapshotRow | undefined {
  const account = reader.reserve(reserve);
  const snapshot = pricing.reserves(reserve)?.snapshot;
  if (account === undefined || snapshot === undefined) return undefined;
  const { at } = pricing;
  const configBytes = configs.configBytes(reserve, account.data);
  const { liquidity: accrued, price: oraclePrice } = snapshot;
  const input = { address: reserve, configBytes, fields: account.fields, accrued, oraclePrice };
  const point = toReservePoint(input, { resolution, at });
  return {
    bucket: presentBucket(pricing, resolution),
    at: at.unix,
    slot: at.slot,
    ...fromReservePoint({ ...point, config: 0 }, configBytes),
  };
}

/** A vault now, and the rates of its rewards by token. */
export type PresentVault = {
  readonly row: SeriesRow<'vault'>;
  readonly rewards: VaultPointRewards;
};

/** Throws if the vault is unknown or unavailable. */
export function presentVaultRow(
  cluster: Cluster,
  pricing: VaultViewContext,
  { vault: address, resolution }: { readonly vault: Address; readonly resolution: Resolution },
): PresentVault {
  const { reader, registry } = cluster;
  const account = reader.vault(address);
  if (account === undefined) throw new CodedError('NOT_FOUND', { what: 'vault', address });
  const vault = computeVaultSnapshot(account, pricing);
  const sample = viewVaultSample(vault, pricing);
  const sampleTime = { resolution, at: pricing.at };
  const totals = totalsOf(cluster, address);
  // no series shows the number of holders
  const point = toVaultPoint(vault, sample, { sampleTime, totals, holders: 0 });
  const row = { ...point, bucket: presentBucket(pricing, resolution) };
  const seasons = registry.seasons.flatMap((season) =>
    viewVaultSeasonRates(vault, season, pricing),
  );
  return {
    row: { ...row, ...interestSinceSample(cluster, row) },
    rewards: {
      vaultRewards: paidRewards(sample.farmRewards),
      rewardsOfReserve: (reserve) => paidRewards(vault.reserves.get(reserve)?.rewards ?? []),
      seasonRewards: seasons
        .filter(({ tokensPerSecond }) => tokensPerSecond.numerator > 0n)
        .map(({ rewardToken, apy }) => ({ mint: rewardToken, apr: apy })),
    },
  };
}

const presentBucket = ({ at }: VaultViewContext, resolution: Resolution): UnixSeconds =>
  toUnixSeconds(at.unix - bucketSeconds[resolution]);

const paidRewards = (rewards: readonly FarmReward[]): readonly RewardApr[] =>
  rewards
    .filter(({ perSecond }) => perSecond.numerator > 0n)
    .map(({ mint, apr }) => ({ mint, apr }));

const totalsOf = ({ recording }: Cluster, vault: Address): VaultTotals =>
  recording?.vaultHistoryCache.find(vault)?.newest ?? ZERO_VAULT_TOTALS;

/** Interest since the newest sample, at current prices. */
function interestSinceSample(
  { recording }: Cluster,
  row: SeriesRow<'vault'>,
): Pick<VaultTotals, 'interestUsd' | 'interestSol'> {
  const { interestSf, tokenDecimals, interestUsd, interestSol } = row;
  const { tokenPrice, solPrice } = sampleSharePrices(row);
  const before = recording?.vaultHistoryCache.find(row.subject)?.newest.interestSf ?? 0n;
  const usd = mulRatio(sampleTokens(interestSf - before, tokenDecimals), tokenPrice);
  return {
    interestUsd: addRatio(interestUsd, usd),
    interestSol: addRatio(interestSol, divRatioOrZero(usd, solPrice)),
  };
}
