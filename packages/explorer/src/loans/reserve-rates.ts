import type { ReserveStats } from '@tidegate/client';
import { apiRequest, type Resource, useResources } from '../api/resource.ts';
import { areSettled } from '../components/loading-page.tsx';
import { sum } from '../format/decimal.ts';

/** Yearly rates of a deposit or a debt, as fractions. */
export type PositionRates = {
  readonly interest: string;
  /** What the token itself earns; undefined if not known. */
  readonly staking: string | undefined;
  /** Of farms, of the reserve itself and of seasons, as far as known. */
  readonly rewards: string;
  /** What is left out, such as `season rewards`. */
  readonly missing: readonly string[];
};

/** A season reward for loans that have a deposit and a debt of two reserves. */
export type PairReward = Pick<
  ReserveStats['pairIncentives'][number],
  'depositReserve' | 'borrowReserve' | 'apy'
>;

export type ReserveRates = {
  readonly deposit: PositionRates;
  readonly debt: PositionRates;
  readonly pairs: readonly PairReward[];
};

/** `ownRewards`: the rate that the reserve pays its lenders itself; undefined if not known. */
export function reserveRates(stats: ReserveStats, ownRewards: string | undefined): ReserveRates {
  const { supplyApyBreakdown: supply, borrowApyBreakdown: borrow, pairIncentives } = stats;
  const staking = supply.underlying ?? undefined;
  const seasons = (rate: string | null) => (rate === null ? ['season rewards'] : []);
  return {
    deposit: {
      interest: supply.lending,
      staking,
      rewards: sum([supply.incentives, supply.seasonRewards ?? '0', ownRewards ?? '0']),
      missing: [
        ...seasons(supply.seasonRewards),
        ...(ownRewards === undefined ? ['rewards of the reserve itself'] : []),
      ],
    },
    debt: {
      interest: borrow.borrow,
      staking,
      rewards: sum([borrow.incentives, borrow.seasonRewards ?? '0']),
      missing: seasons(borrow.seasonRewards),
    },
    pairs: pairIncentives,
  };
}

const RATES_MS = 60_000;

/** The rates of reserves by address, as far as they are read. */
export type ReserveRatesReader = {
  readonly of: (reserve: string | undefined) => ReserveRates | undefined;
  readonly isLoading: boolean;
  readonly resources: readonly Resource<unknown>[];
};

export function useReserveRates(
  reserves: readonly string[],
  markets: readonly string[],
): ReserveRatesReader {
  const stats = useResources(
    reserves.map((reserve) => apiRequest('GET /reserves/{reserve}/stats', { path: { reserve } })),
    { pollMs: RATES_MS },
  );
  const own = useResources(
    markets.map((pubkey) =>
      apiRequest('GET /svc-market/{pubkey}/reserves/rewards', { path: { pubkey } }),
    ),
    { pollMs: RATES_MS },
  );
  const isRead = own.every(({ data }) => data !== undefined);
  const paid = new Map(own.flatMap(({ data = [] }) => data.map((each) => [each.reserve, each])));
  const rates = new Map(
    reserves.flatMap((reserve, index) => {
      const data = stats[index]?.data;
      const unknown = isRead ? '0' : undefined;
      if (data === undefined) return [];
      return [[reserve, reserveRates(data, paid.get(reserve)?.rewardsApy ?? unknown)] as const];
    }),
  );
  const resources = [...stats, ...own];
  return {
    of: (reserve) => (reserve === undefined ? undefined : rates.get(reserve)),
    isLoading: !areSettled(resources),
    resources,
  };
}
