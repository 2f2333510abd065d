import {
  type Address,
  type Ratio,
  toAddress,
  toUnixSeconds,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import {
  type PositionMode,
  sinceEmpty,
  type UsdAndSol,
  viewObligationPnl,
} from '@tidegate/core/views/lending';
import { hasPositions, type ObligationPoint } from '@tidegate/core/views/series';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { readEventPage } from '../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readObligationSnapshots } from '../../history/queries/obligation-snapshots.ts';
import { defineOperation } from '../../http/operation.ts';
import { BooleanString } from '../../http/schemas/boolean-string.ts';
import { describe } from '../../http/schemas/describe.ts';
import { ClusterNameString, DecimalString } from '../../http/schemas/primitives.ts';
import { createStringValidator } from '../../http/validation.ts';
import { formatLiveRatio } from '../../support/decimals/live-decimals.ts';
import {
  type RecordedLoanEvent,
  readAllLendingEvents,
  readLoanEvents,
} from '../../support/events/lending-events.ts';
import {
  missingPrice,
  requireLoanEvents,
  requireLoanHistory,
  requireLoanStates,
  requireRecordedFills,
} from '../../support/history/complete-history.ts';
import { setSampleGapsHeader } from '../../support/history/history-gaps.ts';
import { requireHistory } from '../../support/history/history-query.ts';
import { type Loan, presentLoan, readStakeRates } from '../../support/loans/present-loan.ts';
import { setStalePricesHeader } from '../../support/pricing/data-notes.ts';
import { LOAN_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { MarketParameter, ObligationParameter } from '../../support/schemas/address-parameters.ts';
import { ProgramIdString, parseProgramId } from '../../support/schemas/program-id.ts';
import { UsdSolAmount } from '../../support/schemas/usd-sol-amount.ts';
import type { OperationPlugin } from '../operation-context.ts';

const ObligationPnl = Type.Object(
  {
    usd: describe(DecimalString, 'Profit in USD: net value now minus net investment'),
    sol: describe(DecimalString, 'Profit in SOL'),
    invested: describe(
      Type.Optional(UsdSolAmount),
      'Deposits and repayments minus withdrawals and borrows, each at the prices of its own time',
    ),
  },
  { title: 'ObligationPnl' },
);

const Query = Type.Object({
  env: Type.Optional(ClusterNameString),
  programId: Type.Optional(ProgramIdString),
  positionMode: describe(
    Type.Optional(
      Type.Unsafe<PositionMode>({
        type: 'string',
        enum: ['obligation_all_time', 'current_obligation'],
        default: 'current_obligation',
      }),
    ),
    'Counts events since the loan was last empty, or all events',
  ),
  useStakeRate: describe(
    Type.Optional(BooleanString),
    'Values staked SOL tokens in SOL at their stake pool rate instead of the market price',
  ),
});

/** When the loan was empty is known only from its states. */
const ALL_TIME = { start: toUnixSeconds(0n), end: toUnixSeconds(10n ** 12n) };

const ZERO = { usd: '0', sol: '0' };

export const getObligationPnl: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const presentLoanOf = presentLoan(context);

  app.get(
    '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/pnl',
    {
      ...defineOperation(
        {
          operationId: 'getObligationPnl',
          tag: 'lending-users',
          summary: 'Profit and loss of a loan',
          description:
            'Current net value minus net contributions, each at the prices of its time. A liquidation is not a contribution, so collateral seized minus debt repaid is a loss; rewards are not included. Counted since the loan was last empty, or over all time.',
          weight: 5,
          readsEvents: true,
          computedFrom: LOAN_DEPENDENCIES,
          statuses: [500],
        },
        {
          params: Type.Object({
            marketPubkey: MarketParameter,
            obligationPubkey: ObligationParameter,
          }),
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
      const useStakeRate = query.useStakeRate === 'true';
      const stakeRates = useStakeRate ? await readStakeRates(cluster, history, market) : undefined;
      const mode = query.positionMode ?? 'current_obligation';
      await cluster.loadObligation(obligation);
      await requireLoanHistory(cluster, obligation);
      if (mode === 'current_obligation') await requireLoanStates(history, obligation, ALL_TIME);
      const since = await readFirstEventTime(history, obligation);
      await requireRecordedFills(history, obligation, since);
      const { unix: now } = cluster.reader.at();
      if (since !== undefined)
        await setSampleGapsHeader(reply, history, { start: since, end: now });
      // nothing is awaited after this: the value is of the same slot as the events
      const events = await readEventsOfSlot(cluster, history, { market, obligation });
      requirePrices(mode === 'current_obligation' ? sinceEmpty(events) : events, obligation);
      const present = presentLoanOf(cluster, { market, obligation }, stakeRates);
      setStalePricesHeader(reply, present?.priceAges ?? []);
      const netValue = netValueOf(present?.point);
      const pnl = viewObligationPnl(events, { mode, netValue, useStakeRate });
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

async function readFirstEventTime(
  history: HistoryReader,
  address: Address,
): Promise<UnixSeconds | undefined> {
  const query = { table: 'lendingEvent', subject: 'obligation', address } as const;
  const [first] = await readEventPage(history, { ...query, order: 'oldest first', limit: 1 });
  return first?.at;
}

const MAX_ATTEMPTS = 5;

/**
 * The events of a loan up to the current slot. Reads again if the loan changed meanwhile, so that its current value and
 * its events belong together.
 */
async function readEventsOfSlot(
  cluster: Cluster,
  history: HistoryReader,
  loan: Loan,
): Promise<readonly RecordedLoanEvent[]> {
  const { reader } = cluster;
  const changedAt = () => reader.obligation(loan.obligation)?.fields.lastUpdate.slot;
  for (let attempt = 1; ; attempt++) {
    // again, because a gap removes the loan from state
    await cluster.loadObligation(loan.obligation);
    const before = changedAt();
    await requireLoanEvents(cluster, loan.obligation);
    const events = await readEvents(cluster, history, loan);
    if (changedAt() !== before && attempt < MAX_ATTEMPTS) continue;
    // events can be recorded before the state has their slot
    return events.filter(({ row }) => row.slot <= reader.at().slot);
  }
}

async function readEvents(
  { reader }: Cluster,
  history: HistoryReader,
  { market, obligation }: Loan,
): Promise<readonly RecordedLoanEvent[]> {
  const all = await readAllLendingEvents(history, { subject: 'obligation', address: obligation });
  const rows = all.filter((row) => row.market === market);
  const end = toUnixSeconds(reader.at().unix + 1n);
  const states = rows.length === 0 ? [] : await readObligationSnapshots(history, obligation, end);
  return await readLoanEvents(rows, {
    history,
    decimalsOf: (reserve) => reader.reserve(reserve)?.fields.liquidity.mintDecimals,
    rulesAt: reader.rulesAt,
    emptySlots: states
      .filter(({ fields }) => fields === undefined || !hasPositions(fields))
      .map(({ slot }) => slot),
  });
}

/** Throws if the value of an event is not known: the figure would miss it. */
function requirePrices(events: readonly RecordedLoanEvent[], obligation: Address): void {
  const unpriced = events.find(({ isPriced }) => !isPriced);
  if (unpriced === undefined) return;
  const { reserve, at, priceSf } = unpriced.row;
  const token = priceSf === null ? `the reserve ${reserve}` : 'SOL';
  throw missingPrice(`the loan ${obligation}`, token, at);
}

/** Zero for a loan that is closed or in another market. */
const netValueOf = (point: ObligationPoint | undefined): UsdAndSol<Ratio> =>
  point === undefined
    ? { usd: ZERO_RATIO, sol: ZERO_RATIO }
    : { usd: point.refreshedStats.netAccountValue, sol: point.solValues.net };
