import { type Address, DAY_SECONDS, toUnixSeconds } from '@tidegate/core/base';
import {
  collectAvailable,
  computeFigure,
  type Omission,
  reservePriceAge,
} from '@tidegate/core/views/lending';
import { viewReserveIncentives } from '@tidegate/core/views/rewards';
import { type TrackedContext, trackPrices } from '@tidegate/core/views/vaults';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import { setSampleGapsHeader } from '../../../support/history/history-gaps.ts';
import {
  missingAccountError,
  requireReadable,
  setOmittedHeader,
  setStalePricesHeader,
} from '../../../support/pricing/data-notes.ts';
import { marketCache } from '../../../support/pricing/market-cache.ts';
import { vaultPricingCache } from '../../../support/pricing/vault-pricing-cache.ts';
import { type OperationContext, oncePerApp } from '../../operation-context.ts';
import { seasonEligibilityCache } from '../../rewards/season-eligibility-cache.ts';
import { readRecentYields } from '../../staking/pool-yields.ts';
import {
  NO_AVERAGES,
  type ReserveAverages,
  type ReserveAveragesCache,
  reserveAveragesCache,
} from './averages.ts';
import { reserveStatsJson, type UnderlyingYield } from './json.ts';
import type { ReserveStats } from './schema.ts';
import { viewSeasonIncentives } from './season-incentives.ts';

type ReserveAccount = NonNullable<ReturnType<Cluster['reader']['reserve']>>;

/** What the database knows of a reserve. */
type RecordedStats = { readonly averages: ReserveAverages; readonly underlying: UnderlyingYield };

const SERIES_AT_A_TIME = 4;

const NOT_RECORDED: RecordedStats = { averages: NO_AVERAGES, underlying: 'unknown' };

type StatsJson = Static<typeof ReserveStats>;

type StatsReader = {
  /** Throws NOT_FOUND for an unknown reserve, or the reason why it is unavailable. */
  one(cluster: Cluster, reserve: Address, reply: FastifyReply): Promise<StatsJson>;
  /** Unknown and unavailable reserves are omitted. */
  several(
    cluster: Cluster,
    reserves: readonly Address[],
    reply: FastifyReply,
  ): Promise<Record<string, StatsJson>>;
};

export const statsReader = oncePerApp(createStatsReader);

function createStatsReader(context: OperationContext): StatsReader {
  const pricingOf = vaultPricingCache(context);
  const averages = reserveAveragesCache(context);
  const statsOf = createStatsView(context);
  return {
    async one(cluster, reserve, reply) {
      const recorded = await readRecorded(cluster, averages, reserve);
      const account = requireReserve(cluster, reserve);
      const pricing = trackPrices(pricingOf(cluster));
      const stats = statsOf(cluster, account, { pricing, recorded });
      setPriceAges(reply, pricing, [account]);
      await setAverageGaps(reply, cluster, [recorded]);
      return stats;
    },
    async several(cluster, reserves, reply) {
      const recordings = await readRecordings(cluster, averages, reserves);
      const pricing = trackPrices(pricingOf(cluster));
      const known = reserves.flatMap((address) => cluster.reader.reserve(address) ?? []);
      const { items, omitted } = collectAvailable(known, (account) => {
        const recorded = recordings.get(account.address) ?? NOT_RECORDED;
        return [account.address, statsOf(cluster, account, { pricing, recorded })] as const;
      });
      setPriceAges(reply, pricing, known);
      setOmittedHeader(reply, [...omitted, ...unknownReserves(cluster, reserves)]);
      await setAverageGaps(reply, cluster, [...recordings.values()]);
      return Object.fromEntries(items);
    },
  };
}

/** Several at a time, so that a database computes while rows are decoded, and few series are in memory. */
async function readRecordings(
  cluster: Cluster,
  cache: ReserveAveragesCache,
  reserves: readonly Address[],
): Promise<ReadonlyMap<Address, RecordedStats>> {
  const recordings = new Map<Address, RecordedStats>();
  const rest = reserves.values();
  const readRest = async () => {
    for (const reserve of rest) {
      recordings.set(reserve, await readRecorded(cluster, cache, reserve));
    }
  };
  await Promise.all(Array.from({ length: SERIES_AT_A_TIME }, readRest));
  return recordings;
}

async function readRecorded(
  cluster: Cluster,
  cache: ReserveAveragesCache,
  reserve: Address,
): Promise<RecordedStats> {
  const { recording, reader, registry } = cluster;
  const history = recording?.history;
  const mint = reader.reserve(reserve)?.fields.liquidity.mintPubkey;
  if (mint === undefined) return NOT_RECORDED;
  const isStaked = registry.stakePools.has(mint);
  if (history === undefined)
    return isStaked ? NOT_RECORDED : { ...NOT_RECORDED, underlying: 'none' };
  return {
    averages: await cache.read({ history, reader, reserve }),
    underlying: isStaked
      ? ((await readRecentYields(cluster, history, mint)).at(-1) ?? 'unknown')
      : 'none',
  };
}

/** Averages leave out times that were not recorded, which `x-gaps` names. */
async function setAverageGaps(
  reply: FastifyReply,
  { recording, reader }: Cluster,
  recorded: readonly RecordedStats[],
): Promise<void> {
  const history = recording?.history;
  const days = Math.max(0, ...recorded.flatMap(({ averages }) => [...averages.keys()]));
  if (history === undefined || days === 0) return;
  const { unix: end } = reader.at();
  const start = toUnixSeconds(end - BigInt(days) * DAY_SECONDS);
  await setSampleGapsHeader(reply, history, { start, end });
}

type StatsInput = { readonly pricing: TrackedContext; readonly recorded: RecordedStats };

function createStatsView(context: OperationContext) {
  const marketOf = marketCache(context);
  const eligibilityOf = seasonEligibilityCache(context);
  return (
    cluster: Cluster,
    account: ReserveAccount,
    { pricing, recorded }: StatsInput,
  ): StatsJson => {
    const { reader } = cluster;
    const { lendingMarket } = account.fields;
    const market = marketOf(reader, lendingMarket);
    if (market === undefined) throw missingAccountError(reader, lendingMarket, 'market');
    const { snapshot } = pricing.requireReserve(account.address);
    return computeFigure(account.address, () =>
      reserveStatsJson({
        account,
        snapshot,
        market,
        reserves: reader.reservesOf(lendingMarket),
        ...recorded,
        seasons: viewSeasonIncentives(cluster, account.address, { pricing, eligibilityOf }),
        incentivesOf(farm, positionsUsd) {
          const fields = pricing.farm(farm)?.fields;
          return fields === undefined ? [] : viewReserveIncentives(fields, positionsUsd, pricing);
        },
      }),
    );
  };
}

function requireReserve({ reader }: Cluster, address: Address): ReserveAccount {
  const found = reader.reserve(address);
  requireReadable(reader, address);
  if (found === undefined) throw new CodedError('NOT_FOUND', { what: 'reserve', address });
  return found;
}

const unknownReserves = ({ reader }: Cluster, reserves: readonly Address[]): Omission[] =>
  reserves
    .filter((address) => reader.reserve(address) === undefined)
    .map((address) => {
      const reason =
        reader.unreadable.get(address)?.reason ?? 'There is no reserve at this address.';
      return { address, reason };
    });

/** The ages of the prices of the reserves and of their reward tokens. */
function setPriceAges(
  reply: FastifyReply,
  pricing: TrackedContext,
  reserves: readonly ReserveAccount[],
): void {
  const own = reserves.flatMap(({ address }) => {
    const snapshot = pricing.reserves(address)?.snapshot;
    return snapshot === undefined ? [] : reservePriceAge(snapshot, pricing.at.unix);
  });
  setStalePricesHeader(reply, [...own, ...pricing.priceAges()]);
}
