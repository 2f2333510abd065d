import type { Address } from '#core/base/encoding/address.ts';
import type { Build, Builder } from '#core/builders/build.ts';
import { claimRewards } from '#core/builders/claims/claim-builder.ts';
import { parseClaimRequest } from '#core/builders/claims/claim-request.ts';
import { lendBorrow } from '#core/builders/lending/borrow-builder.ts';
import { lendDeposit } from '#core/builders/lending/deposit-builder.ts';
import {
  type LendingIntent,
  type LendingRequest,
  parseLendingRequest,
} from '#core/builders/lending/lending-request.ts';
import { lendRepay } from '#core/builders/lending/repay-builder.ts';
import { lendWithdraw } from '#core/builders/lending/withdraw-builder.ts';
import { vaultDeposit } from '#core/builders/vaults/vault-deposit-builder.ts';
import {
  parseVaultDepositRequest,
  parseVaultWithdrawRequest,
} from '#core/builders/vaults/vault-request.ts';
import { vaultWithdraw } from '#core/builders/vaults/vault-withdraw-builder.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { gather } from '#server/features/transactions/builder/load-build-context.ts';
import { WalletMemory } from '#server/features/transactions/builder/wallet-cache.ts';
import { createIndexer } from '#server/indexer/follow/indexer.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { silentLog } from '../../test/support/fakes/silent-log.ts';
import type { Ask, BuildInput, Operation } from '../build.ts';
import type { Task } from '../compare/task-worker.ts';

type Place = {
  readonly cluster: Pick<Cluster, 'env' | 'reader' | 'registry' | 'readAccounts'>;
  readonly memory: WalletMemory;
};

/** From what somebody asks to what the wallet signs, as the API does it: parsed, its accounts read, built. */
type Way = (ask: Ask, place: Place) => Promise<Build>;

/** Longer than a bench takes: nothing but builds asks for anything. */
const NEVER_MS = 3_600_000;

const ways: Readonly<Record<Operation, Way>> = {
  deposit: lending('deposit', lendDeposit),
  borrow: lending('borrow', lendBorrow),
  repay: lending('repay', lendRepay),
  withdraw: lending('withdraw', lendWithdraw),
  vaultDeposit: way(vaultDeposit, (ask, state) =>
    parseVaultDepositRequest(vaultFields(ask), state),
  ),
  vaultWithdraw: way(vaultWithdraw, (ask, state) =>
    parseVaultWithdrawRequest(vaultFields(ask), state),
  ),
  claim: way(claimRewards, ({ wallet, market, reserve }, state) =>
    parseClaimRequest({ wallet, market, reserve }, state),
  ),
};

export async function buildTasks({ asks, ...input }: BuildInput): Promise<Record<string, Task>> {
  const place = await openPlace(input);
  return Object.fromEntries(
    input.operations.map((operation) => [
      operation,
      taskOf(ways[operation], asks[operation], place),
    ]),
  );
}

function taskOf(build: Way, asks: readonly Ask[], place: Place): Task {
  const run = (input: number) => build(asks[input] ?? noAsk(input), place);
  const sample = async () => {
    const built = [];
    for (const input of asks.keys()) built.push((await run(input)).instructions);
    return built;
  };
  return { inputs: asks.length, waits: true, run, sample };
}

function noAsk(input: number): never {
  throw new Error(`nobody asks for ${input}`);
}

function way<Request extends { readonly wallet: Address; readonly market?: Address | undefined }>(
  builder: Builder<Request>,
  parse: (ask: Ask, state: ClusterReader) => Request,
): Way {
  return async (ask, place) => {
    const request = parse(ask, place.cluster.reader);
    const { scene } = await gather(builder, request, place);
    return builder.build(request, scene);
  };
}

function lending(intent: LendingIntent, builder: Builder<LendingRequest>): Way {
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

const vaultFields = ({ wallet, vault, amount }: Ask) => ({
  wallet,
  kvault: given(vault),
  amount: given(amount),
});

function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a field is missing');
  return value;
}

/** The cluster as a server that has just started knows it. It stands still, so that only builds are measured. */
async function openPlace({
  url,
  marketTables,
}: Pick<BuildInput, 'url' | 'marketTables'>): Promise<Place> {
  const base = { clock: Date.now, log: silentLog };
  const source = createClusterSource({
    ...base,
    ...{ rpcUrls: [new URL(url)], wsUrls: [], commitment: 'confirmed', random: Math.random },
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
      ...{ address, lookupTable, programId: KLEND_PROGRAM, name: '', description: '' },
      ...{ isPrimary: false, isCurated: false },
    })),
  });
  return {
    memory: new WalletMemory(),
    cluster: {
      env: 'localnet',
      reader: state,
      registry,
      async readAccounts(addresses, minSlot) {
        const { slot, accounts } = await source.accounts(addresses, minSlot);
        return { slot, accounts: new Map(addresses.map((address, i) => [address, accounts[i]])) };
      },
    },
  };
}
