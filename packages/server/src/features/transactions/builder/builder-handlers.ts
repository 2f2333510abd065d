import { CodedError, encodeBase64, type LatestBlockhash } from '@tidegate/core/base';
import {
  type Build,
  compileTransaction,
  requireTransactionSize,
  resultOrError,
} from '@tidegate/core/builders';
import type { Static } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { type BuilderAction, type BuilderRequest, parseComputeBudget } from './builder-action.ts';
import type {
  BuilderQuery,
  ComputeBudgetFields,
  InstructionBundle,
  UnsignedTransaction,
} from './builder-schemas.ts';
import { instructionBundleJson } from './instruction-bundle-json.ts';
import { loadBuildContext } from './load-build-context.ts';
import {
  type CompiledBuild,
  type LocalPreview,
  type PreparedBuild,
  previewLocally,
  simulateOnCluster,
} from './preview.ts';
import { type PreviewResult, previewJson } from './preview-json.ts';
import { createTokenSymbols } from './token-symbols.ts';
import { WalletCache } from './wallet-cache.ts';

type Asked<Body> = { readonly body: Body; readonly query: Static<typeof BuilderQuery> };

type Answer<Form> = <Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  action: BuilderAction<Body, Request>,
  asked: Asked<Body>,
) => Promise<Form>;

/** Both forms of what a wallet would sign. */
export type BuilderHandlers = {
  readonly instructions: Answer<Static<typeof InstructionBundle>>;
  readonly transaction: Answer<Static<typeof UnsignedTransaction>>;
};

const NOT_EXECUTED = 'no endpoint of the cluster executes transactions';

export function createBuilderHandlers({
  clusters,
  tokens,
}: Pick<FeatureContext, 'clusters' | 'tokens'>): BuilderHandlers {
  const memory = new WalletCache();
  const symbolsOf = createTokenSymbols(tokens);
  const understand = <Body extends ComputeBudgetFields, Request extends BuilderRequest>(
    action: BuilderAction<Body, Request>,
    { body, query }: Asked<Body>,
  ) => {
    const cluster = clusters.select(query.env);
    const request = { ...action.parse(body, cluster.reader), ...parseComputeBudget(body) };
    return { cluster, request, memory, isPreviewed: query.preview === true };
  };

  return {
    async instructions(action, asked) {
      const understood = understand(action, asked);
      const { cluster, isPreviewed } = understood;
      const recent = isPreviewed ? recentBlockhash(cluster) : undefined;
      const { built, foresight } = await build(action, understood);
      const bundle = instructionBundleJson(built.build);
      if (foresight === undefined || recent === undefined) return bundle;
      const compiled = compile(built.build, { cluster, latest: await recent });
      const outcome = await previewOf(built, foresight, compiled);
      return { ...bundle, preview: previewJson({ ...outcome, symbols: symbolsOf(cluster) }) };
    },
    async transaction(action, asked) {
      const understood = understand(action, asked);
      const { cluster } = understood;
      const recent = recentBlockhash(cluster);
      const { built, foresight } = await build(action, understood);
      const compiled = compile(built.build, { cluster, latest: await recent });
      requireTransactionSize(compiled.transaction);
      const answer = { transaction: encodeBase64(compiled.transaction.wire) };
      if (foresight === undefined) return answer;
      const outcome = await previewOf(built, foresight, compiled);
      return { ...answer, preview: previewJson({ ...outcome, symbols: symbolsOf(cluster) }) };
    },
  };
}

/** Asked for while accounts are read. Where the build is refused, nobody waits for it. */
function recentBlockhash(cluster: Cluster): Promise<LatestBlockhash> {
  const recent = cluster.latestBlockhash();
  recent.catch(() => undefined);
  return recent;
}

type Understood<Request> = {
  readonly cluster: Cluster;
  readonly request: Request;
  readonly memory: WalletCache;
  readonly isPreviewed: boolean;
};

/** What is told of state is told before the next wait: state goes on. */
async function build<Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  action: BuilderAction<Body, Request>,
  { cluster, request, memory, isPreviewed }: Understood<Request>,
) {
  const { scene, slot } = await loadBuildContext(action.builder, request, { cluster, memory });
  const built = { action, request, scene, slot, build: action.builder.build(request, scene) };
  return { built, foresight: isPreviewed ? previewLocally(built) : undefined };
}

const compile = (
  made: Build,
  { cluster, latest }: Pick<CompiledBuild, 'cluster' | 'latest'>,
): CompiledBuild => ({ cluster, latest, transaction: compileTransaction(made, latest.blockhash) });

/** What no transaction can hold is not run; neither is anything where no endpoint can. */
async function previewOf<Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  built: PreparedBuild<Body, Request>,
  foresight: LocalPreview,
  compiled: CompiledBuild,
): Promise<Omit<PreviewResult, 'symbols'>> {
  const { transaction, latest } = compiled;
  const tooLarge = resultOrError(() => requireTransactionSize(transaction));
  const isRun = !(tooLarge instanceof CodedError);
  const ran = isRun ? await simulateOnCluster(built, foresight, compiled) : undefined;
  const outcome = ran ?? foresight.outcome;
  if (outcome instanceof CodedError) throw outcome;
  const reason = ran === undefined ? (tooLarge?.message ?? NOT_EXECUTED) : undefined;
  const { feeLamports } = foresight;
  return { outcome, reason, feeLamports, transaction, latest, plan: built.build.plan };
}
