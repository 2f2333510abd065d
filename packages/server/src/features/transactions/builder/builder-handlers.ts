import { CodedError, encodeBase64, type LatestBlockhash } from '@tidegate/core/base';
import { type Build, checkSize, compileTransaction, orRefusal } from '@tidegate/core/builders';
import type { Static } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { ApiContext } from '../../feature-context.ts';
import { type Action, type Asking, budgetOf } from './builder-action.ts';
import type {
  Budget,
  BuilderQuery,
  InstructionBundle,
  UnsignedTransaction,
} from './builder-schemas.ts';
import { bundleJson } from './instruction-bundle-json.ts';
import { gather } from './load-build-context.ts';
import { type Built, type Compiled, type Foresight, foresee, simulated } from './preview.ts';
import { type Previewed, previewJson } from './preview-json.ts';
import { createSymbols } from './token-symbols.ts';
import { WalletMemory } from './wallet-cache.ts';

type Asked<Body> = { readonly body: Body; readonly query: Static<typeof BuilderQuery> };

type Answer<Form> = <Body extends Budget, Request extends Asking>(
  action: Action<Body, Request>,
  asked: Asked<Body>,
) => Promise<Form>;

/** Both forms of what a wallet would sign. */
export type BuilderAnswers = {
  readonly instructions: Answer<Static<typeof InstructionBundle>>;
  readonly transaction: Answer<Static<typeof UnsignedTransaction>>;
};

const NOT_EXECUTED = 'no endpoint of the cluster executes transactions';

export function createBuilderAnswers({
  clusters,
  tokens,
}: Pick<ApiContext, 'clusters' | 'tokens'>): BuilderAnswers {
  const memory = new WalletMemory();
  const symbolsOf = createSymbols(tokens);
  const understand = <Body extends Budget, Request extends Asking>(
    action: Action<Body, Request>,
    { body, query }: Asked<Body>,
  ) => {
    const cluster = clusters.select(query.env);
    const request = { ...action.parse(body, cluster.reader), ...budgetOf(body) };
    return { cluster, request, memory, isPreviewed: query.preview === true };
  };

  return {
    async instructions(action, asked) {
      const understood = understand(action, asked);
      const { cluster, isPreviewed } = understood;
      const recent = isPreviewed ? recentBlockhash(cluster) : undefined;
      const { built, foresight } = await build(action, understood);
      const bundle = bundleJson(built.build);
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
      checkSize(compiled.transaction);
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
  readonly memory: WalletMemory;
  readonly isPreviewed: boolean;
};

/** What is told of state is told before the next wait: state goes on. */
async function build<Body extends Budget, Request extends Asking>(
  action: Action<Body, Request>,
  { cluster, request, memory, isPreviewed }: Understood<Request>,
) {
  const { scene, slot } = await gather(action.builder, request, { cluster, memory });
  const built = { action, request, scene, slot, build: action.builder.build(request, scene) };
  return { built, foresight: isPreviewed ? foresee(built) : undefined };
}

const compile = (
  made: Build,
  { cluster, latest }: Pick<Compiled, 'cluster' | 'latest'>,
): Compiled => ({ cluster, latest, transaction: compileTransaction(made, latest.blockhash) });

/** What no transaction can hold is not run; neither is anything where no endpoint can. */
async function previewOf<Body extends Budget, Request extends Asking>(
  built: Built<Body, Request>,
  foresight: Foresight,
  compiled: Compiled,
): Promise<Omit<Previewed, 'symbols'>> {
  const { transaction, latest } = compiled;
  const tooLarge = orRefusal(() => checkSize(transaction));
  const isRun = !(tooLarge instanceof CodedError);
  const ran = isRun ? await simulated(built, foresight, compiled) : undefined;
  const outcome = ran ?? foresight.outcome;
  if (outcome instanceof CodedError) throw outcome;
  const reason = ran === undefined ? (tooLarge?.message ?? NOT_EXECUTED) : undefined;
  const { feeLamports } = foresight;
  return { outcome, reason, feeLamports, transaction, latest, plan: built.build.plan };
}
