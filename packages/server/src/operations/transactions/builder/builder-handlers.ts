import { encodeBase64, type LatestBlockhash } from '@tidegate/core/base';
import {
  type Build,
  compileTransaction,
  requireTransactionSize,
  resultOrError,
} from '@tidegate/core/builders';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import { setStalePricesHeader } from '../../../support/pricing/data-notes.ts';
import { type OperationContext, oncePerApp } from '../../operation-context.ts';
import {
  type BuilderAction,
  type BuilderRequest,
  MAX_NAMED_ACCOUNT_BYTES,
  parseComputeBudget,
} from './builder-action.ts';
import type {
  BuilderQuery,
  ComputeBudgetFields,
  InstructionBundle,
  UnsignedTransaction,
} from './builder-schemas.ts';
import { setExpiryHeaders } from './expiry-headers.ts';
import { instructionBundleJson } from './instruction-bundle-json.ts';
import { loadBuildContext } from './load-build-context.ts';
import { createPlanHandler } from './plan-handler.ts';
import {
  type CompiledBuild,
  type LocalPreview,
  type PreparedBuild,
  previewLocally,
  simulateOnCluster,
} from './preview.ts';
import { type PreviewResult, previewJson } from './preview-json.ts';
import { createTokenSymbols, type TokenSymbolLookup } from './token-symbols.ts';
import { WalletCache } from './wallet-cache.ts';

type HttpRequest<Body> = {
  readonly body: Body;
  readonly query: Static<typeof BuilderQuery>;
  readonly reply: FastifyReply;
};

type Handler<Response> = <Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  action: BuilderAction<Body, Request>,
  http: HttpRequest<Body>,
) => Promise<Response>;

type BuilderHandlers = {
  readonly instructions: Handler<Static<typeof InstructionBundle>>;
  readonly transaction: Handler<Static<typeof UnsignedTransaction>>;
  readonly plan: ReturnType<typeof createPlanHandler>;
};

const NO_SIMULATION = 'no endpoint of the cluster simulates transactions';

export const builderHandlers = oncePerApp(createBuilderHandlers);

function createBuilderHandlers(context: OperationContext): BuilderHandlers {
  const walletCache = new WalletCache();
  const symbolsOf = createTokenSymbols(context);
  const parse = <Body extends ComputeBudgetFields, Request extends BuilderRequest>(
    action: BuilderAction<Body, Request>,
    { body, query }: HttpRequest<Body>,
  ) => {
    const cluster = context.clusters.requireLoaded(query.env);
    const request = { ...action.parse(body, cluster.reader), ...parseComputeBudget(body) };
    // looked up during the build, because the symbols depend on the state
    const symbolOf: TokenSymbolLookup = (mint) => symbolsOf(cluster)(mint);
    return { cluster, request, walletCache, symbolOf, withPreview: query.preview === true };
  };

  return {
    plan: createPlanHandler(context, { walletCache, symbolsOf }),
    async instructions(action, http) {
      const parsed = parse(action, http);
      const { cluster, withPreview } = parsed;
      const blockhash = withPreview ? fetchBlockhash(cluster) : undefined;
      const { prepared, local } = await prepare(action, parsed);
      const bundle = instructionBundleJson(prepared.build);
      if (local === undefined || blockhash === undefined) return bundle;
      const compiled = compile(prepared.build, { cluster, latest: await blockhash });
      const result = await preview(prepared, local, compiled);
      setStalePricesHeader(http.reply, [...local.priceAges, ...result.outcome.priceAges]);
      return { ...bundle, preview: previewJson({ ...result, symbols: symbolsOf(cluster) }) };
    },
    async transaction(action, http) {
      const parsed = parse(action, http);
      const { cluster } = parsed;
      const blockhash = fetchBlockhash(cluster);
      const { prepared, local } = await prepare(action, parsed);
      const compiled = compile(prepared.build, { cluster, latest: await blockhash });
      requireTransactionSize(compiled.transaction);
      const response = { transaction: encodeBase64(compiled.transaction.wire) };
      setExpiryHeaders(http.reply, compiled.latest);
      if (local === undefined) return response;
      const result = await preview(prepared, local, compiled);
      setStalePricesHeader(http.reply, [...local.priceAges, ...result.outcome.priceAges]);
      return { ...response, preview: previewJson({ ...result, symbols: symbolsOf(cluster) }) };
    },
  };
}

/** Runs while accounts are read. The rejection is handled here, because a failed build never awaits the result. */
function fetchBlockhash(cluster: Cluster): Promise<LatestBlockhash> {
  const latest = cluster.latestBlockhash();
  latest.catch(() => undefined);
  return latest;
}

type ParsedRequest<Request> = {
  readonly cluster: Cluster;
  readonly request: Request;
  readonly walletCache: WalletCache;
  readonly symbolOf: TokenSymbolLookup;
  readonly withPreview: boolean;
};

/** Builds and previews without an await in between, so that both use the same state. */
async function prepare<Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  action: BuilderAction<Body, Request>,
  { cluster, request, walletCache, symbolOf, withPreview }: ParsedRequest<Request>,
) {
  const maxAccountBytes = action.readsNamedAccounts ? MAX_NAMED_ACCOUNT_BYTES : undefined;
  const source = { cluster, walletCache, maxAccountBytes };
  const loaded = await loadBuildContext(action.builder, request, source);
  const { slot } = loaded;
  const context = { ...loaded.context, symbolOf };
  const build = action.builder.build(request, context);
  const prepared = { action, request, context, slot, build };
  return { prepared, local: withPreview ? previewLocally(prepared) : undefined };
}

const compile = (
  build: Build,
  { cluster, latest }: Pick<CompiledBuild, 'cluster' | 'latest'>,
): CompiledBuild => ({ cluster, latest, transaction: compileTransaction(build, latest.blockhash) });

/** Falls back to the local preview if the transaction is too large or no endpoint simulates. */
async function preview<Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  prepared: PreparedBuild<Body, Request>,
  local: LocalPreview,
  compiled: CompiledBuild,
): Promise<Omit<PreviewResult, 'symbols'>> {
  const { transaction, latest } = compiled;
  const tooLarge = resultOrError(() => requireTransactionSize(transaction));
  const isSendable = !(tooLarge instanceof CodedError);
  const simulated = isSendable ? await simulateOnCluster(prepared, local, compiled) : undefined;
  const outcome = simulated ?? local.outcome;
  if (outcome instanceof CodedError) throw outcome;
  const reason = simulated === undefined ? (tooLarge?.message ?? NO_SIMULATION) : undefined;
  const { feeLamports } = local;
  return { outcome, reason, feeLamports, transaction, latest, plan: prepared.build.plan };
}
