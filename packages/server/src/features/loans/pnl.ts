import {
  type Address,
  type Ratio,
  ratio,
  toAddress,
  toUnixSeconds,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import {
  computeFigure,
  type PositionMode,
  sinceEmpty,
  type UsdAndSol,
  viewObligationPnl,
} from '@tidegate/core/views/lending';
import { hasPositions, viewObligationPoint } from '@tidegate/core/views/series';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readObligationSnapshots } from '../../history/queries/obligation-snapshots.ts';
import { readPointAsOf } from '../../history/queries/time-series.ts';
import { defineOperation } from '../../http/operation.ts';
import { BooleanString } from '../../http/schemas/boolean-string.ts';
import { AddressString, ClusterNameString, DecimalString } from '../../http/schemas/primitives.ts';
import { createStringValidator } from '../../http/validation.ts';
import { formatLiveRatio } from '../decimal-format/live-decimals.ts';
import type { Feature, FeatureContext } from '../feature-context.ts';
import { missingPrice, requireLoanHistory } from '../history-query/complete-history.ts';
import { setSampleGapsHeader } from '../history-query/history-gaps.ts';
import { requireHistory } from '../history-query/history-query.ts';
import {
  type RecordedLoanEvent,
  readAllLendingEvents,
  readLoanEvents,
} from '../lending-events/lending-events.ts';
import { ProgramIdString, parseProgramId } from '../lending-program/program-id.ts';
import { requireReadable } from '../pricing/data-notes.ts';
import { marketCache } from '../pricing/market-cache.ts';
import { requireTokenPrice, vaultPricingCache } from '../pricing/vault-pricing-cache.ts';
import { UsdSolAmount } from '../usd-sol-amount/usd-sol-amount.ts';

const ObligationPnl = Type.Object(
  { usd: DecimalString, sol: DecimalString, invested: Type.Optional(UsdSolAmount) },
  { title: 'ObligationPnl' },
);

const Query = Type.Object({
  env: Type.Optional(ClusterNameString),
  programId: Type.Optional(ProgramIdString),
  positionMode: Type.Optional(
    Type.Unsafe<PositionMode>({
      type: 'string',
      enum: ['obligation_all_time', 'current_obligation'],
      default: 'current_obligation',
    }),
  ),
  useStakeRate: Type.Optional(BooleanString),
});

const ZERO = { usd: '0', sol: '0' };

export const getObligationPnl: Feature = (context) => async (app) => {
  const { clusters } = context;
  const netValueOf = createNetValue(context);

  app.get(
    '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/pnl',
    {
      ...defineOperation(
        {
          operationId: 'getObligationPnl',
          tag: 'lending-users',
          summary: 'Profit and loss of a loan',
          description:
            'Current net value minus net contributions, each at the prices of its time. Collateral seized by a liquidation counts as withdrawn, debt repaid by it as paid in; rewards are not included. Counted since the loan was last empty, or over all time.',
          weight: 2,
          statuses: [500],
        },
        {
          params: Type.Object({ marketPubkey: AddressString, obligationPubkey: AddressString }),
          querystring: Query,
          response: ObligationPnl,
        },
      ),
      validatorCompiler: ({ schema, httpPart }) =>
        httpPart === 'querystring' ? parseQuery : createStringValidator(schema, 'INVALID_PATH'),
    },
    async ({ params, query }, reply) => {
      const cluster = clusters.requireLoaded(query.env);
      const history = requireHistory(cluster);
      const market = toAddress(params.marketPubkey);
      const obligation = toAddress(params.obligationPubkey);
      const programId = parseProgramId(query.programId);
      if (cluster.reader.market(market)?.program !== programId) return { ...ZERO, invested: ZERO };
      const { events, since } = await readEvents(cluster, history, { market, obligation });
      if (since !== undefined) {
        await setSampleGapsHeader(reply, history, { start: since, end: cluster.reader.at().unix });
      }
      const useStakeRate = query.useStakeRate === 'true';
      const stakeRates = useStakeRate ? await readStakeRates(cluster, history, market) : undefined;
      const mode = query.positionMode ?? 'current_obligation';
      requirePrices(mode === 'current_obligation' ? sinceEmpty(events) : events, obligation);
      const pnl = viewObligationPnl(events, {
        mode,
        netValue: netValueOf(cluster, { market, obligation }, stakeRates),
        useStakeRate,
      });
      return { ...amountsJson(pnl), invested: amountsJson(pnl.invested) };
    },
  );
};

const validateQuery = createStringValidator(Query, 'INVALID_QUERY');

/** `pnlMode` is the former name of `positionMode`. */
const parseQuery = (input: Readonly<Record<string, unknown>>) =>
  validateQuery({ ...input, positionMode: input['positionMode'] ?? input['pnlMode'] });

const amountsJson = ({ usd, sol }: UsdAndSol<Ratio>): Static<typeof UsdSolAmount> => ({
  usd: formatLiveRatio(usd),
  sol: formatLiveRatio(sol),
});

type Loan = { readonly market: Address; readonly obligation: Address };

/** `since` is the time of the first event. */
async function readEvents(cluster: Cluster, history: HistoryReader, loan: Loan) {
  const { reader } = cluster;
  const { market, obligation } = loan;
  await cluster.loadObligation(obligation);
  await requireLoanHistory(cluster, obligation);
  const all = await readAllLendingEvents(history, { subject: 'obligation', address: obligation });
  const rows = all.filter((row) => row.market === market);
  const end = toUnixSeconds(reader.at().unix + 1n);
  const states = rows.length === 0 ? [] : await readObligationSnapshots(history, obligation, end);
  const events = await readLoanEvents(rows, {
    history,
    decimalsOf: (reserve) => reader.reserve(reserve)?.fields.liquidity.mintDecimals,
    emptySlots: states
      .filter(({ fields }) => fields === undefined || !hasPositions(fields))
      .map(({ slot }) => slot),
  });
  return { events, since: rows[0]?.at };
}

/** Throws if the value of an event is not known: the figure would miss it. */
function requirePrices(events: readonly RecordedLoanEvent[], obligation: Address): void {
  const unpriced = events.find(({ isPriced }) => !isPriced);
  if (unpriced === undefined) return;
  const { reserve, at, priceSf } = unpriced.row;
  const token = priceSf === null ? `the reserve ${reserve}` : 'SOL';
  throw missingPrice(`the loan ${obligation}`, token, at);
}

type StakeRates = ReadonlyMap<Address, Ratio>;

/** Zero for a loan that is closed or in another market. */
function createNetValue(context: FeatureContext) {
  const marketOf = marketCache(context);
  const pricingOf = vaultPricingCache(context);
  return (
    cluster: Cluster,
    { market: address, obligation }: Loan,
    stakeRates: StakeRates | undefined,
  ): UsdAndSol<Ratio> => {
    const { reader } = cluster;
    requireReadable(reader, obligation);
    const market = marketOf(reader, address);
    const fields = reader.obligation(obligation)?.fields;
    const zero = { usd: ZERO_RATIO, sol: ZERO_RATIO };
    if (market === undefined || fields?.lendingMarket !== address) return zero;
    const solPrice = requireTokenPrice(pricingOf(cluster), WRAPPED_SOL_MINT);
    const point = computeFigure(obligation, () =>
      viewObligationPoint(fields, market, {
        solPrice,
        solPriceAt: market.at.unix,
        ...(stakeRates === undefined ? {} : { stakeRates }),
      }),
    );
    if (point === undefined) return zero;
    return { usd: point.refreshedStats.netAccountValue, sol: point.solValues.net };
  };
}

/** Newest sampled rates of the stake pools whose tokens are in the market. */
async function readStakeRates(
  { reader }: Cluster,
  history: HistoryReader,
  market: Address,
): Promise<StakeRates> {
  const now = reader.at().unix;
  const mints = reader.reservesOf(market).map(({ fields }) => fields.liquidity.mintPubkey);
  const rates = new Map<Address, Ratio>();
  for (const mint of mints) {
    const sample = await readNewestStakeRate(history, mint, now);
    if (sample === undefined || sample.tokens === 0n) continue;
    rates.set(mint, ratio(sample.lamports, sample.tokens));
  }
  return rates;
}

/** The last sample of the current day is the newest one. */
const readNewestStakeRate = (history: HistoryReader, mint: Address, now: UnixSeconds) =>
  readPointAsOf(history, { kind: 'stakeRate', resolution: 'day', subject: mint }, now);
