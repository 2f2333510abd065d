import type { Address } from '#core/base/encoding/address.ts';
import type { Build, Builder } from '#core/builders/build.ts';
import { claimBuilder } from '#core/builders/claims/claim-builder.ts';
import { parseClaimRequest } from '#core/builders/claims/claim-request.ts';
import { borrowBuilder } from '#core/builders/lending/borrow-builder.ts';
import { depositBuilder } from '#core/builders/lending/deposit-builder.ts';
import {
  type LendingActionKind,
  type LendingRequest,
  parseLendingRequest,
} from '#core/builders/lending/lending-request.ts';
import { repayBuilder } from '#core/builders/lending/repay-builder.ts';
import { withdrawBuilder } from '#core/builders/lending/withdraw-builder.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
import {
  parseVaultDepositRequest,
  parseVaultWithdrawRequest,
} from '#core/builders/vaults/vault-request.ts';
import { vaultWithdrawBuilder } from '#core/builders/vaults/vault-withdraw-builder.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { createIndexer } from '#server/indexer/follow/indexer.ts';
import { loadBuildContext } from '#server/operations/transactions/builder/load-build-context.ts';
import { WalletCache } from '#server/operations/transactions/builder/wallet-cache.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { silentLog } from '../../test/support/fakes/silent-log.ts';
import type { BuildInput, BuildRequest, Operation } from '../build.ts';
import type { Task } from '../compare/task-worker.ts';

type Place = {
  readonly cluster: Pick<Cluster, 'env' | 'reader' | 'registry' | 'marketTables' | 'readAccounts'>;
  readonly walletCache: WalletCache;
};

/** From what somebody asks to what the wallet signs, as the API does it: parsed, its accounts read, built. */
type Way = (ask: BuildRequest, place: Place) => Promise<Build>;

/** Longer than a bench takes: nothing but builds asks for anything. */
const NEVER_MS = 3_600_000;

const ways: Readonly<Record<Operation, Way>> = {
  deposit: lending('deposit', depositBuilder),
  borrow: lending('borrow', borrowBuilder),
  repay: lending('repay', repayBuilder),
  withdraw: lending('withdraw', withdrawBuilder),
  vaultDeposit: way(vaultDepositBuilder, (ask, state) =>
    parseVaultDepositRequest(vaultFields(ask), state),
  ),
  vaultWithdraw: way(vaultWithdrawBuilder, (ask, state) =>
    parseVaultWithdrawRequest(vaultFields(ask), state),
  ),
  claim: way(claimBuilder, ({ wallet, market, reserve }, state) =>
    parseClaimRequest({ wallet, market, reserve }, state),
  ),
};

export async function buildTasks({
  requests,
  ...input
}: BuildInput): Promise<Record<string, Task>> {
  const place = await openPlace(input);
  return Object.fromEntries(
    input.operations.map((operation) => [
      operation,
      taskOf(ways[operation], requests[operation], place),
    ]),
  );
}

function taskOf(build: Way, asks: readonly BuildRequest[], place: Place): Task {
  const run = (input: number) => build(asks[input] ?? noAsk(input), place);
  const sample = async () => {
    const built = [];
    for (const input of asks.keys()) built.push((await run(input)).instructions);
    return built;
  };
  return { inputs: asks.length, isAsync: true, run, sample };
}

function noAsk(input: number): never {
  throw new Error(`nobody asks for ${input}`);
}

function way<Request extends { readonly wallet: Address; readonly market?: Address | undefined }>(
  builder: Builder<Request>,
  parse: (ask: BuildRequest, state: ClusterReader) => Request,
): Way {
  return async (ask, place) => {
    const request = parse(ask, place.cluster.reader);
    const { context } = await loadBuildContext(builder, request, place);
    return builder.build(request, context);
  };
}

function lending(intent: LendingActionKind, builder: Builder<LendingRequest>): Way {
  return way(builder, ({ wallet, market, reserve, amount }, state) => {
    const fields = {
      wallet,
      market: given(market),
      reserve: given(reserve),
      amount: given(amount),
    };
    return parseLendingRequest(intent, fields, state);
  });
}

const vaultFields = ({ wallet, vault, amount }: BuildRequest) => ({
  wallet,
  kvault: given(vault),
  amount: given(amount),
});

function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a field is missing');
  return value;
}

/** The cluster as a server knows it after its start. It does not change, so that only builds are measured. */
async function openPlace({
  url,
  marketTables,
}: Pick<BuildInput, 'url' | 'marketTables'>): Promise<Place> {
  const base = { clock: Date.now, random: Math.random, log: silentLog };
  const source = createClusterSource({
    ...base,
    rpcUrls: [new URL(url)],
    wsUrls: [],
    commitment: 'confirmed',
    timing: { probeMs: NEVER_MS },
  });
  const state = new ClusterState(base);
  const lookupTables = marketTables.map(([, table]) => table);
  const indexer = createIndexer({ ...base, source, state, mode: 'on-demand', lookupTables });
  await indexer.start();
  await indexer.stop();
  const registry = createRegistry({
    ...emptyRegistry,
    markets: marketTables.map(([address, lookupTable]) => ({
      address,
      lookupTable,
      programId: KLEND_PROGRAM,
      name: '',
      description: '',
      isPrimary: false,
      isCurated: false,
    })),
  });
  return {
    walletCache: new WalletCache(),
    cluster: {
      env: 'localnet',
      reader: state,
      registry,
      marketTables: { tableOf: () => undefined, request: () => undefined },
      async readAccounts(addresses, minSlot) {
        const { slot, accounts } = await source.getAccounts(addresses, minSlot);
        return { slot, accounts: new Map(addresses.map((address, i) => [address, accounts[i]])) };
      },
    },
  };
}
