import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type Address,
  type Ratio,
  ratio,
  toAddress,
  toUnixSeconds,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import { type PositionMode, type UsdAndSol, viewObligationPnl } from '@tidegate/core/views/lending';
import { hasPositions, viewObligationPoint } from '@tidegate/core/views/series';
import { WRAPPED_SOL_MINT } from '@tidegate/core/views/vaults';
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
import type { FeatureContext } from '../feature-context.ts';
import { requireHistory, setSampleGapsHeader } from '../history-query/history-query.ts';
import { readAllLendingEvents, readLoanEvents } from '../lending-events/lending-events.ts';
import { ProgramIdString, parseProgramId } from '../lending-program/program-id.ts';
import type { MarketCache } from '../pricing/market-cache.ts';
import type { VaultPricingCache } from '../pricing/vault-pricing-cache.ts';

const UsdSolAmount = Type.Object(
  { usd: DecimalString, sol: DecimalString },
  { title: 'UsdSolAmount' },
);

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

const NOTHING = { usd: '0', sol: '0' };

type Parts = { readonly marketOf: MarketCache; readonly termsOf: VaultPricingCache };

export const getObligationPnl =
  ({ clusters }: Pick<FeatureContext, 'clusters'>, parts: Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/pnl',
      {
        ...defineOperation(
          {
            operationId: 'getObligationPnl',
            tag: 'lending-users',
            summary: 'Profit of a loan',
            description:
              'What it is worth now, less what was paid in and not taken out again, each at the prices of its time. What a liquidation took counts as taken out, what it repaid as paid in; rewards are not counted. Since the loan was last empty, or of all time.',
            weight: 2,
            statuses: [500],
          },
          {
            params: Type.Object({ marketPubkey: AddressString, obligationPubkey: AddressString }),
            querystring: Query,
            answer: ObligationPnl,
          },
        ),
        validatorCompiler: ({ schema, httpPart }) =>
          httpPart === 'querystring' ? readQuery : createStringValidator(schema, 'INVALID_PATH'),
      },
      async ({ params, query }, reply) => {
        const cluster = clusters.select(query.env);
        const history = requireHistory(cluster);
        const loan = {
          market: toAddress(params.marketPubkey),
          obligation: toAddress(params.obligationPubkey),
          programId: parseProgramId(query.programId),
        };
        if (cluster.reader.market(loan.market)?.program !== loan.programId) {
          return { ...NOTHING, invested: NOTHING };
        }
        await cluster.ensureObligation(loan.obligation);
        const past = await readPast(cluster, history, loan);
        if (past.since !== undefined) {
          await setSampleGapsHeader(reply, history, {
            start: past.since,
            end: cluster.reader.at().unix,
          });
        }
        const useStakeRate = query.useStakeRate === 'true';
        const rates = useStakeRate ? await stakeRatesNow(cluster, history, loan) : undefined;
        const pnl = viewObligationPnl(past.events, {
          mode: query.positionMode ?? 'current_obligation',
          netValue: netValueNow(cluster, parts, { ...loan, rates }),
          useStakeRate,
        });
        return { ...amounts(pnl), invested: amounts(pnl.invested) };
      },
    );
  };

const readDeclared = createStringValidator(Query, 'INVALID_QUERY');

/** Older callers name the mode `pnlMode`. */
const readQuery = (input: Readonly<Record<string, unknown>>) =>
  readDeclared({ ...input, positionMode: input['positionMode'] ?? input['pnlMode'] });

const amounts = ({ usd, sol }: UsdAndSol<Ratio>): Static<typeof UsdSolAmount> => ({
  usd: formatLiveRatio(usd),
  sol: formatLiveRatio(sol),
});

type Loan = { readonly market: Address; readonly obligation: Address };

async function readPast({ reader }: Cluster, history: HistoryReader, loan: Loan) {
  const { market, obligation } = loan;
  const all = await readAllLendingEvents(history, { of: 'obligation', address: obligation });
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

type Rates = ReadonlyMap<Address, Ratio>;

/** Nothing for a loan that is closed, or in another market. */
function netValueNow(
  cluster: Cluster,
  { marketOf, termsOf }: Parts,
  { market: address, obligation, rates }: Loan & { readonly rates: Rates | undefined },
): UsdAndSol<Ratio> {
  const { reader } = cluster;
  const market = marketOf(reader, address);
  const fields = reader.obligation(obligation)?.fields;
  const nothing = { usd: ZERO_RATIO, sol: ZERO_RATIO };
  if (market === undefined || fields?.lendingMarket !== address) return nothing;
  const terms = {
    solPrice: termsOf(cluster).tokens(WRAPPED_SOL_MINT)?.price ?? ZERO_RATIO,
    solPriceAt: market.at.unix,
    ...(rates === undefined ? {} : { stakeRates: rates }),
  };
  const point = viewObligationPoint(fields, market, terms);
  if (point === undefined) return nothing;
  return { usd: point.refreshedStats.netAccountValue, sol: point.solValues.net };
}

/** Of the pools whose tokens the market lends, as last sampled. */
async function stakeRatesNow(
  { reader }: Cluster,
  history: HistoryReader,
  { market }: Loan,
): Promise<Rates> {
  const now = reader.at().unix;
  const mints = reader.reservesOf(market).map(({ fields }) => fields.liquidity.mintPubkey);
  const rates = new Map<Address, Ratio>();
  for (const mint of mints) {
    const held = await lastStakeRate(history, mint, now);
    if (held !== undefined && held.tokens > 0n) rates.set(mint, ratio(held.lamports, held.tokens));
  }
  return rates;
}

/** The day's last is the newest of all. */
const lastStakeRate = (history: HistoryReader, mint: Address, now: UnixSeconds) =>
  readPointAsOf(history, { kind: 'stakeRate', resolution: 'day', subject: mint }, now);
