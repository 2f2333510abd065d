import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { readDeployedProgram } from '#core/protocol/releases/deployed-program.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { metadataOfPlan } from '#localnet/genesis/genesis.ts';
import { createReleaseExecutor } from '#localnet/programs/release-executor.ts';
import { blockhashOf } from '#localnet/runtime/blockhash.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import { type SimulatedCluster, simulateAndRecord } from '#localnet/simulation/simulate-cluster.ts';
import { EpochTimes } from '#server/chain/epoch-times.ts';
import { RecentEventsCache } from '#server/clusters/recent-events.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { VaultHistoryCache } from '#server/clusters/vault-history-cache.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import { farmEventKinds } from '#server/history/event-kinds.ts';
import { openHistory } from '#server/history/open-history.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { SimulationHistoryWriter } from '#server/indexer/recording/simulation-history-writer.ts';
import {
  type ClusterPrograms,
  NO_PROGRAMS,
  withProgram,
} from '#server/programs/cluster-programs.ts';
import { programsOfCluster } from '#server/programs/read-programs.ts';
import { FakeLedger } from '../../test/support/fakes/fake-ledger.ts';
import { silentLog } from '../../test/support/fakes/silent-log.ts';
import { staticCluster } from '../../test/support/golden/golden-clusters.ts';
import { staticRecording } from '../../test/support/golden/static-recording.ts';
import { farmEvent } from '../../test/support/history/history-rows.ts';
import { createExampleHooks } from './hook-examples.ts';

const END: ChainTime = { slot: toSlot(380_000_000n), unix: toUnixSeconds(1_790_000_000n) };

/** Staking yields need ten epochs of two days. */
const PLAN = { seed: 'tidegate', days: 22, until: END };

/** Time before the end that is sampled each minute; earlier time is sampled on the full hour, to save time. */
const MINUTES = 10n;
const HOUR_SECONDS = 3_600n;
const DAY_SECONDS = 24n * HOUR_SECONDS;

export type ExampleCluster = {
  readonly cluster: Cluster;
  readonly metadata: SimulatedCluster['metadata'];
  close(): Promise<void>;
};

/** A simulated cluster with its history. It is the same on every machine. */
export async function createExampleCluster(): Promise<ExampleCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-examples-'));
  const history = await openHistory({ url: undefined, folder, log: silentLog });
  const registry = createLocalnetRegistry(metadataOfPlan(PLAN));
  const writer = new SimulationHistoryWriter({ history, registry, log: silentLog });
  const options = { executor: createReleaseExecutor(), log: silentLog };
  const { cluster, metadata } = await simulateAndRecord(PLAN, options, {
    begin: async () => undefined,
    write: (steps) => writer.write(steps.map(dropSample)),
    end: () => writer.end(),
  });
  const { state } = writer;
  const reader = createHistoryReader(history.db);
  const vaultHistoryCache = new VaultHistoryCache({
    history: reader,
    reader: state,
    log: silentLog,
  });
  await vaultHistoryCache.refreshIfStale();
  const { slot, unix } = state.at();
  for (const address of [
    ...registry.markets.map(({ lookupTable }) => lookupTable),
    ...state.vaults().map(({ fields }) => fields.vaultLookupTable),
  ]) {
    state.apply({ address, account: cluster.bank.account(address), slot });
  }
  const accountsOf: Cluster['readAccounts'] = async (addresses) => ({
    slot,
    accounts: new Map(addresses.map((address) => [address, cluster.bank.account(address)])),
  });
  await new HistoryWriter(history.db).append({ farmEvents: [addedRewards(state, metadata.demo)] });
  const programs = readPrograms(cluster.bank);
  const epochTimes = new EpochTimes({ ledger: ledgerOf(cluster.bank) });
  const served = staticCluster({
    reader: state,
    registry,
    programs: () => programs,
    ageMs: () => 1_000,
    readAccounts: accountsOf,
    listEpochs: (before) => epochTimes.list(before),
    recentPriorityFees: async () =>
      [1_200n, 20_000n, 55_000n, 310_000n].map((microLamports) => ({ slot, microLamports })),
    latestBlockhash: async () => ({
      slot,
      blockhash: blockhashOf(PLAN.seed, slot),
      lastValidBlockHeight: slot + 150n,
    }),
  });
  const hooks = createExampleHooks(served, history, () => Number(unix) * 1000);
  const close = async () => {
    await history.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const recentEvents = new RecentEventsCache({ history: reader, reader: state });
  const recording = staticRecording({ history: reader, vaultHistoryCache, recentEvents, hooks });
  return { cluster: { ...served, recording }, metadata, close };
}

const readPrograms = (bank: SimulatedCluster['cluster']['bank']): ClusterPrograms =>
  programsOfCluster('localnet').reduce((programs, watched) => {
    const account = bank.account(watched.programData);
    return account === undefined
      ? programs
      : withProgram(programs, readDeployedProgram(watched, account, 'localnet'));
  }, NO_PROGRAMS);

function dropSample(step: ClusterStep): ClusterStep {
  const left = END.unix - step.at.unix;
  const isFirst = left === BigInt(PLAN.days) * DAY_SECONDS;
  if (left < MINUTES * 60n || step.at.unix % HOUR_SECONDS === 0n || isFirst) return step;
  const { sample: _, ...rest } = step;
  return rest;
}

/** No administrator acts in the simulation. */
function addedRewards(
  reader: ClusterReader,
  { vault, wallet }: SimulatedCluster['metadata']['demo'],
) {
  const farm = reader.vault(vault)?.fields.vaultFarm ?? ZERO_ADDRESS;
  const [reward] = [...(reader.farm(farm)?.fields.rewardInfos ?? [])];
  const at = END.unix - DAY_SECONDS;
  return farmEvent(
    { number: 1, at, slot: END.slot - 216_000n },
    {
      kind: farmEventKinds.indexOf('addRewards'),
      wallet: null,
      userState: null,
      farm,
      managedFarm: farm,
      signer: wallet,
      mint: reward?.token.mint ?? null,
      amount: 1_000_000_000n,
      rewardIndex: 0,
    },
  );
}

/** Has the blocks of the last epochs. */
function ledgerOf(bank: SimulatedCluster['cluster']['bank']): FakeLedger {
  const ledger = new FakeLedger();
  ledger.finalized = END.slot;
  ledger.firstAvailable = END.slot - 3n * ledger.slotsPerEpoch;
  ledger.blockTimeOf = (slot) => bank.timeOf(toSlot(slot)).unix;
  return ledger;
}
