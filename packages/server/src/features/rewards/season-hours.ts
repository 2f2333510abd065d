import {
  type Address,
  bucketStart,
  ratioOfSf,
  toUnixSeconds,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
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

/** Seasons are sampled from a day before their start on. */
const LEAD_SECONDS = 86_400n;

/** Whose hours of which season, up to when. */
export type SeasonHoursQuery = {
  readonly history: HistoryReader;
  readonly season: Season;
  readonly wallet: Address;
  readonly now: UnixSeconds;
};

/** Only hours that are over: the one that runs has no last sample yet. */
const hoursOf = ({ season, now }: SeasonHoursQuery): SeriesRange => ({
  from: toUnixSeconds(season.start - LEAD_SECONDS),
  to: bucketStart(now < season.end ? now : season.end, 'hour'),
});

/** What a wallet's loans counted for each of these lines at the end of each hour. */
export async function readLoanHours(
  ask: SeasonHoursQuery,
  lines: readonly SeasonRewardGroup[],
): Promise<readonly (readonly SeasonHourlySample[])[]> {
  const { history, season, wallet, now } = ask;
  const loans = await readWalletLoans(history, wallet, now);
  const held = new Set(loans.flatMap((states) => states.flatMap(({ loan }) => reservesOf(loan))));
  const mayCount = ({ sides }: SeasonRewardGroup): boolean =>
    [...reservesOfTargets([sides])].every((reserve) => held.has(reserve));
  const reserves = await readReserveHours(
    ask,
    lines.filter(mayCount).map(({ sides }) => sides),
  );
  const hours: (readonly SeasonHourlySample[])[] = [];
  for (const line of lines) {
    if (!mayCount(line)) {
      hours.push([]);
      continue;
    }
    const rows = await readRewardHours(ask, season, line);
    const sampled = rows.map(({ bucket, slot }) => ({
      slot,
      reserves: reserves.get(bucket) ?? new Map<Address, ReserveSnapshot>(),
    }));
    const usd = eligibleLoanUsdByHour(sampled, loans, [line.sides]);
    hours.push(
      rows.map(({ at, positionsUsd: eligibleUsd }, i) => {
        const [own] = usd[i] ?? [];
        return { at, eligibleUsd, walletUsd: own === undefined ? ZERO_RATIO : ratioOfSf(own) };
      }),
    );
  }
  return hours;
}

/** The same of its shares of a vault: of all shares, which is of all that they are worth. */
export async function readShareHours(
  ask: SeasonHoursQuery,
  vault: Address,
): Promise<readonly SeasonHourlySample[]> {
  const { history, wallet, now } = ask;
  const holdings = await readVaultHoldings(history, { wallet, vault }, now);
  if (holdings.length === 0) return [];
  const holdingAt = createStateCursor(holdings);
  const rows = await readIssuedShares(history, vault, hoursOf(ask));
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
  ask: SeasonHoursQuery,
  { source }: Season,
  { sides, rewardToken }: SeasonRewardGroup,
): Promise<readonly SeriesRow<'reward'>[]> {
  const subject = deriveSeasonSubject(source, sides);
  const series = { kind: 'reward', resolution: 'hour', subject, mint: rewardToken } as const;
  const rows: SeriesRow<'reward'>[] = [];
  for await (const piece of readSeries(ask.history, series, hoursOf(ask))) rows.push(...piece);
  return rows;
}

type ReserveHours = ReadonlyMap<UnixSeconds, ReadonlyMap<Address, ReserveSnapshot>>;

/** By the start of the hour, then by reserve. */
async function readReserveHours(
  ask: SeasonHoursQuery,
  sides: readonly RewardTarget[],
): Promise<ReserveHours> {
  const hours = new Map<UnixSeconds, Map<Address, ReserveSnapshot>>();
  for (const reserve of reservesOfTargets(sides)) {
    const series = { reserve, resolution: 'hour' } as const;
    for await (const rows of readReserveSnapshots(ask.history, series, hoursOf(ask))) {
      for (const row of rows) {
        const hour = hours.get(row.bucket) ?? new Map<Address, ReserveSnapshot>();
        hour.set(reserve, snapshotHistoricalReserve(row));
        hours.set(row.bucket, hour);
      }
    }
  }
  return hours;
}

type WalletLoan = Awaited<ReturnType<typeof readWalletLoans>>[number][number]['loan'];

const reservesOf = (loan: WalletLoan): readonly Address[] =>
  loan === undefined
    ? []
    : [
        ...loan.deposits.map(({ depositReserve }) => depositReserve),
        ...loan.borrows.map(({ borrowReserve }) => borrowReserve),
      ];
