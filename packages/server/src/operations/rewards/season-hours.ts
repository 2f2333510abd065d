import {
  type Address,
  bucketStart,
  ratioOfSf,
  toUnixSeconds,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import type { ReserveSnapshot } from '@tidegate/core/views/lending';
import {
  createStateCursor,
  eligibleLoanUsdByHour,
  type RewardTarget,
  reservesOfTargets,
  type Season,
  type SeasonHourlySample,
  type SeasonRewardGroup,
} from '@tidegate/core/views/rewards';
import { snapshotHistoricalReserve } from '@tidegate/core/views/series';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readIssuedShares } from '../../history/queries/issued-shares.ts';
import { readReserveSnapshots } from '../../history/queries/reserve-snapshots.ts';
import { readSeries, type SeriesRange } from '../../history/queries/time-series.ts';
import { readVaultHoldings } from '../../history/queries/vault-holdings.ts';
import { readWalletLoans } from '../../history/queries/wallet-loans.ts';
import { deriveSeasonSubject } from '../../history/rows/season-subject.ts';
import type { SeriesRow } from '../../history/schema/series-tables.ts';

/** Sampling of a season begins one day before its start. */
const LEAD_SECONDS = 86_400n;

export type SeasonHoursQuery = {
  readonly history: HistoryReader;
  readonly season: Season;
  readonly wallet: Address;
  readonly now: UnixSeconds;
  readonly rulesAt: RulesAt;
};

/** Complete hours only: the current hour has no last sample yet. */
const seasonRange = ({ season, now }: SeasonHoursQuery): SeriesRange => ({
  from: toUnixSeconds(season.start - LEAD_SECONDS),
  to: bucketStart(now < season.end ? now : season.end, 'hour'),
});

/** Eligible value of the wallet's loans at the end of each hour, for each of the rewards. */
export async function readLoanHours(
  query: SeasonHoursQuery,
  groups: readonly SeasonRewardGroup[],
): Promise<readonly (readonly SeasonHourlySample[])[]> {
  const { history, wallet, now } = query;
  const loans = await readWalletLoans(history, wallet, now);
  const loanReserves = new Set(
    loans.flatMap((states) => states.flatMap(({ loan }) => reservesOfLoan(loan))),
  );
  const mayBeEligible = ({ target }: SeasonRewardGroup): boolean =>
    [...reservesOfTargets([target])].every((reserve) => loanReserves.has(reserve));
  const reserveHours = await readReserveHours(
    query,
    groups.filter(mayBeEligible).map(({ target }) => target),
  );
  const hours: (readonly SeasonHourlySample[])[] = [];
  for (const group of groups) {
    if (!mayBeEligible(group)) {
      hours.push([]);
      continue;
    }
    const rows = await readRewardHours(query, group);
    const samples = rows.map(({ bucket, slot }) => ({
      slot,
      reserves: reserveHours.get(bucket) ?? new Map<Address, ReserveSnapshot>(),
    }));
    const usd = eligibleLoanUsdByHour(samples, loans, [group.target]);
    hours.push(
      rows.map(({ at, positionsUsd: eligibleUsd }, i) => {
        const [walletSf] = usd[i] ?? [];
        const walletUsd = walletSf === undefined ? ZERO_RATIO : ratioOfSf(walletSf);
        return { at, eligibleUsd, walletUsd };
      }),
    );
  }
  return hours;
}

/** Shares of the wallet and issued shares of the vault at the end of each hour. Their ratio is that of the values. */
export async function readShareHours(
  query: SeasonHoursQuery,
  vault: Address,
): Promise<readonly SeasonHourlySample[]> {
  const { history, wallet, now } = query;
  const holdings = await readVaultHoldings(history, { wallet, vault }, now);
  if (holdings.length === 0) return [];
  const holdingAt = createStateCursor(holdings);
  const rows = await readIssuedShares(history, vault, seasonRange(query));
  return rows.map(({ at, slot, sharesIssued }) => {
    const { held = 0n, staked = 0n } = holdingAt(slot) ?? {};
    return {
      at,
      walletUsd: { numerator: held + staked, denominator: 1n },
      eligibleUsd: { numerator: sharesIssued, denominator: 1n },
    };
  });
}

async function readRewardHours(
  query: SeasonHoursQuery,
  { target, rewardToken }: SeasonRewardGroup,
): Promise<readonly SeriesRow<'reward'>[]> {
  const subject = deriveSeasonSubject(query.season.source, target);
  const series = { kind: 'reward', resolution: 'hour', subject, mint: rewardToken } as const;
  const rows: SeriesRow<'reward'>[] = [];
  for await (const page of readSeries(query.history, series, seasonRange(query))) {
    rows.push(...page);
  }
  return rows;
}

type ReserveHours = ReadonlyMap<UnixSeconds, ReadonlyMap<Address, ReserveSnapshot>>;

/** Reserve snapshots by start of the hour, then by reserve. */
async function readReserveHours(
  query: SeasonHoursQuery,
  targets: readonly RewardTarget[],
): Promise<ReserveHours> {
  const hours = new Map<UnixSeconds, Map<Address, ReserveSnapshot>>();
  for (const reserve of reservesOfTargets(targets)) {
    const series = { reserve, resolution: 'hour' } as const;
    for await (const rows of readReserveSnapshots(query.history, series, seasonRange(query))) {
      for (const row of rows) {
        const hour = hours.get(row.bucket) ?? new Map<Address, ReserveSnapshot>();
        hour.set(reserve, snapshotHistoricalReserve(row, query.rulesAt(row.slot).lending));
        hours.set(row.bucket, hour);
      }
    }
  }
  return hours;
}

type WalletLoan = Awaited<ReturnType<typeof readWalletLoans>>[number][number]['loan'];

const reservesOfLoan = (loan: WalletLoan): readonly Address[] =>
  loan === undefined
    ? []
    : [
        ...loan.deposits.map(({ depositReserve }) => depositReserve),
        ...loan.borrows.map(({ borrowReserve }) => borrowReserve),
      ];
