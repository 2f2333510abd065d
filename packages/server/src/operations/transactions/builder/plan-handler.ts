import { encodeBase64, type LatestBlockhash } from '@tidegate/core/base';
import {
  compileTransaction,
  type PlannedTransaction,
  type Planner,
  reportLoans,
  requireTransactionSize,
} from '@tidegate/core/builders';
import type { ClusterReader } from '@tidegate/core/state';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { loanReportJson } from '../../../support/loans/loan-report-json.ts';
import { loanPriceAges, setStalePricesHeader } from '../../../support/pricing/data-notes.ts';
import type { OperationContext } from '../../operation-context.ts';
import {
  type BuilderRequest,
  MAX_NAMED_ACCOUNT_BYTES,
  parseComputeBudget,
} from './builder-action.ts';
import type { ComputeBudgetFields, PlanQuery, UnsignedTransactions } from './builder-schemas.ts';
import { setExpiryHeaders } from './expiry-headers.ts';
import { loadBuildContext } from './load-build-context.ts';
import { type CompiledBuild, type PreviewOutcome, simulateOnCluster } from './preview.ts';
import { previewJson } from './preview-json.ts';
import type { TokenSymbolLookup } from './token-symbols.ts';
import type { WalletCache } from './wallet-cache.ts';

/** Connects a planner of the core to a request body. */
export type PlanOperation<Body extends ComputeBudgetFields, Request extends BuilderRequest> = {
  readonly planner: Planner<Request>;
  /** Does not parse the compute budget. */
  parse(body: Body, state: ClusterReader): Request;
};

type PlanSources = {
  readonly walletCache: WalletCache;
  readonly symbolsOf: (cluster: Cluster) => TokenSymbolLookup;
};

type PlanRequest<Body> = {
  readonly body: Body;
  readonly query: Static<typeof PlanQuery>;
  readonly reply: FastifyReply;
};

const AFTER_OTHERS =
  'it follows other transactions of the plan; it is computed on the state after them';
const NO_SIMULATION = 'no endpoint of the cluster simulates transactions';

/** Plans transactions and previews each on the state after those before it. */
export function createPlanHandler({ clusters }: OperationContext, sources: PlanSources) {
  const { walletCache, symbolsOf } = sources;
  return async <Body extends ComputeBudgetFields, Request extends BuilderRequest>(
    { planner, parse }: PlanOperation<Body, Request>,
    { body, query, reply }: PlanRequest<Body>,
  ): Promise<Static<typeof UnsignedTransactions>> => {
    const cluster = clusters.requireLoaded(query.env);
    const request = { ...parse(body, cluster.reader), ...parseComputeBudget(body) };
    const blockhash = cluster.latestBlockhash();
    blockhash.catch(() => undefined);
    const source = { cluster, walletCache, maxAccountBytes: MAX_NAMED_ACCOUNT_BYTES };
    const loaded = await loadBuildContext(planner, request, source);
    const symbolOf: TokenSymbolLookup = (mint) => symbolsOf(cluster)(mint);
    const planned = planner.plan(request, { ...loaded.context, symbolOf });
    // computed before the next await, because the state changes
    const local = planned.map(previewPlanned);
    const latest = await blockhash;
    const compiled = planned.map(({ build }) => {
      const transaction = compileTransaction(build, latest.blockhash);
      requireTransactionSize(transaction);
      return { cluster, latest, transaction };
    });
    const first = await simulateFirst(planned[0], {
      local: local[0],
      compiled: compiled[0],
      slot: loaded.slot,
    });
    setExpiryHeaders(reply, latest);
    setStalePricesHeader(
      reply,
      local.flatMap(({ priceAges }) => priceAges),
    );
    const symbols = symbolsOf(cluster);
    return {
      transactions: planned.flatMap((each, index) => {
        const [outcome, one] = [local[index], compiled[index]];
        if (outcome === undefined || one === undefined) return [];
        const simulated = index === 0 ? first : undefined;
        const preview = toPreview(each, { outcome, simulated, index, symbols, ...one });
        return [{ transaction: encodeBase64(one.transaction.wire), preview }];
      }),
    };
  };
}

type FirstTransaction = {
  readonly local: PreviewOutcome | undefined;
  readonly compiled: CompiledBuild | undefined;
  readonly slot: PreviewOutcome['slot'];
};

/** The first transaction runs on the present state, so that the cluster can simulate it. */
async function simulateFirst(
  planned: PlannedTransaction | undefined,
  { local, compiled, slot }: FirstTransaction,
): Promise<PreviewOutcome | undefined> {
  if (planned === undefined || local === undefined || compiled === undefined) return undefined;
  const { build, context, feeLamports, loan: addresses } = planned;
  return simulateOnCluster(
    { build, context, slot },
    {
      feeLamports,
      addresses,
      before: local.loan?.before ?? null,
      priceAges: local.priceAges,
      slot: local.slot,
      outcome: local,
      failures: [],
    },
    compiled,
  );
}

function previewPlanned({ outcome, loan: addresses, context }: PlannedTransaction): PreviewOutcome {
  const { tokens, lamports } = outcome;
  const { slot } = context.state.at();
  const reports = outcome.loan && addresses && reportLoans(outcome.loan, addresses, context.state);
  const { before, after } = reports ?? {};
  const reported = [before, after].flatMap((each) => each ?? []);
  return {
    slot,
    figuresSlot: slot,
    failure: undefined,
    computeUnits: undefined,
    tokens,
    lamports,
    loan:
      reports === undefined
        ? null
        : {
            before: before === undefined ? null : loanReportJson(before),
            after: after === undefined ? null : loanReportJson(after),
          },
    priceAges: reported.flatMap(loanPriceAges),
  };
}

type PreviewParts = CompiledBuild & {
  readonly outcome: PreviewOutcome;
  readonly simulated: PreviewOutcome | undefined;
  readonly index: number;
  readonly latest: LatestBlockhash;
  readonly symbols: TokenSymbolLookup;
};

function toPreview(
  { build, feeLamports }: PlannedTransaction,
  { outcome, simulated, index, transaction, latest, symbols }: PreviewParts,
) {
  const reason = index === 0 ? NO_SIMULATION : AFTER_OTHERS;
  return previewJson({
    outcome: simulated ?? outcome,
    reason: simulated === undefined ? reason : undefined,
    feeLamports,
    transaction,
    latest,
    plan: build.plan,
    symbols,
  });
}
