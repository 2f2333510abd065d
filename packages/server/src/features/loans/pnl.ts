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
import {
  type InUsdAndSol,
  type PositionMode,
  viewObligationPnl,
} from '@tidegate/core/views/lending';
import { hasPositions, viewObligationPoint } from '@tidegate/core/views/series';
import { SOL_MINT } from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readObligation } from '../../history/queries/obligation-snapshots.ts';
import { readLastPoint } from '../../history/queries/time-series.ts';
import { operation } from '../../http/operation.ts';
import { BooleanText } from '../../http/schemas/boolean-string.ts';
import { AddressText, DecimalText, EnvText } from '../../http/schemas/primitives.ts';
import { textReader } from '../../http/validation.ts';
import { liveText } from '../decimal-format/live-decimals.ts';
import type { ApiContext } from '../feature-context.ts';
import { historyOf, tellGaps } from '../history-query/history-query.ts';
import { loanEvents, readAllLendingEvents } from '../lending-events/lending-events.ts';
import { ProgramIdText, parseProgramId } from '../lending-program/program-id.ts';
import type { MarketsNow } from '../pricing/market-cache.ts';
import type { VaultTermsOf } from '../pricing/vault-pricing-cache.ts';

const UsdSolAmount = Type.Object({ usd: DecimalText, sol: DecimalText }, { title: 'UsdSolAmount' });

const ObligationPnl = Type.Object(
  { usd: DecimalText, sol: DecimalText, invested: Type.Optional(UsdSolAmount) },
  { title: 'ObligationPnl' },
);

const Query = Type.Object({
  env: Type.Optional(EnvText),
  programId: Type.Optional(ProgramIdText),
  positionMode: Type.Optional(
    Type.Unsafe<PositionMode>({
      type: 'string',
      enum: ['obligation_all_time', 'current_obligation'],
      default: 'current_obligation',
    }),
  ),
  useStakeRate: Type.Optional(BooleanText),
});

const NOTHING = { usd: '0', sol: '0' };

type Parts = { readonly marketOf: MarketsNow; readonly termsOf: VaultTermsOf };

export const obligationPnlRoutes =
  ({ clusters }: Pick<ApiContext, 'clusters'>, parts: Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/pnl',
      {
        ...operation(
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
            params: Type.Object({ marketPubkey: AddressText, obligationPubkey: AddressText }),
            querystring: Query,
            answer: ObligationPnl,
          },
        ),
        validatorCompiler: ({ schema, httpPart }) =>
          httpPart === 'querystring' ? readQuery : textReader(schema, 'INVALID_PATH'),
      },
      async ({ params, query }, reply) => {
        const cluster = clusters.select(query.env);
        const history = historyOf(cluster);
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
          await tellGaps(reply, history, { start: past.since, end: cluster.reader.at().unix });
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

const readDeclared = textReader(Query, 'INVALID_QUERY');

/** Older callers name the mode `pnlMode`. */
const readQuery = (input: Readonly<Record<string, unknown>>) =>
  readDeclared({ ...input, positionMode: input['positionMode'] ?? input['pnlMode'] });

const amounts = ({ usd, sol }: InUsdAndSol<Ratio>): Static<typeof UsdSolAmount> => ({
  usd: liveText(usd),
  sol: liveText(sol),
});

type Loan = { readonly market: Address; readonly obligation: Address };

async function readPast({ reader }: Cluster, history: HistoryReader, loan: Loan) {
  const { market, obligation } = loan;
  const all = await readAllLendingEvents(history, { of: 'obligation', address: obligation });
  const rows = all.filter((row) => row.market === market);
  const end = toUnixSeconds(reader.at().unix + 1n);
  const states = rows.length === 0 ? [] : await readObligation(history, obligation, end);
  const events = await loanEvents(rows, {
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
): InUsdAndSol<Ratio> {
  const { reader } = cluster;
  const market = marketOf(reader, address);
  const fields = reader.obligation(obligation)?.fields;
  const nothing = { usd: ZERO_RATIO, sol: ZERO_RATIO };
  if (market === undefined || fields?.lendingMarket !== address) return nothing;
  const terms = {
    solPrice: termsOf(cluster).tokens(SOL_MINT)?.price ?? ZERO_RATIO,
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
  readLastPoint(history, { kind: 'stakeRate', resolution: 'day', subject: mint }, now);
