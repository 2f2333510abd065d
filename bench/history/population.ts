import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import type { UnixSeconds } from '#core/base/time.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import type { ClusterMetadata } from '#localnet/genesis/cluster-metadata.ts';
import { metadataOfPlan } from '#localnet/genesis/genesis.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import { simulateAndRecord } from '#localnet/simulation/simulate-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import type { Batch } from '#server/history/writing/batch.ts';
import type { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { mergeBatches } from '#server/history/writing/merge-batches.ts';
import { HistoryRecorder } from '#server/indexer/recording/history-recorder.ts';
import type { Registry } from '#server/registry/registry.ts';
import { silentLog } from '../../test/support/fakes/silent-log.ts';
import { SIMULATION_END } from '../../test/support/localnet/simulated-genesis.ts';
import { createActivityReplicator } from './replicate-activity.ts';
import { Trader } from './trader.ts';

export type PopulationPlan = {
  readonly days: number;
  /** Factor of users in the crowded databases. */
  readonly times: number;
  readonly tradedEvents: number;
  /** Batches are collected until they hold this many rows. */
  readonly storedRows: number;
};

type Writers = { readonly usual: readonly Writer[]; readonly crowded: readonly Writer[] };
type Writer = Pick<HistoryWriter, 'append'>;

/** A recorded simulation and the accounts that the benchmark queries. */
export type Population = {
  readonly facts: ClusterMetadata;
  readonly registry: Registry;
  readonly state: ClusterState;
  readonly recorder: HistoryRecorder;
  readonly trader: Address;
  readonly loan: Address;
  readonly loanAccount: RawAccount;
  readonly holder: Address;
  /** The first batches. */
  readonly batches: readonly Batch[];
};

/** Records hourly samples. The crowded databases have every user several times, on the same markets. */
export async function recordPopulation(
  { days, times, tradedEvents, storedRows }: PopulationPlan,
  { usual, crowded }: Writers,
): Promise<Population> {
  const plan = { seed: 'tidegate', days, until: SIMULATION_END };
  const facts = metadataOfPlan(plan);
  const registry = createLocalnetRegistry(facts);
  const state = new ClusterState({ log: silentLog });
  const recorder = new HistoryRecorder({ state, registry });
  const trader = new Trader({
    vault: facts.demo.vault,
    events: tradedEvents,
    to: SIMULATION_END.unix,
    from: (SIMULATION_END.unix - BigInt(days) * 86_400n) as UnixSeconds,
  });
  const [loans, holders] = [new ChangeCounter(), new ChangeCounter()];
  const collected = new BatchCollector(storedRows);
  const replicate = createActivityReplicator(times);
  let writing: Promise<unknown> = Promise.resolve();
  const executor = createModelExecutor(modelPrograms());
  const { cluster } = await simulateAndRecord(
    plan,
    { executor, log: silentLog },
    {
      begin: async () => undefined,
      async write(steps) {
        const simulated = mergeBatches(steps.map((step) => recorder.record(sampleHourly(step))));
        for (const { obligation, at } of simulated.obligationStates ?? [])
          loans.count(obligation, at);
        for (const { wallet, at } of simulated.vaultHoldings ?? []) holders.count(wallet, at);
        const batch = mergeBatches([simulated, trader.eventsOf(simulated)]);
        collected.add(batch);
        await writing;
        writing = Promise.all([
          ...usual.map((writer) => writer.append(batch)),
          ...crowded.map((writer) => writer.append(replicate(batch))),
        ]);
        // the next write reports a failure
        writing.catch(() => undefined);
      },
      end: async () => {
        await writing;
      },
    },
  );
  const loan = loans.longest((address) => state.obligation(address) !== undefined);
  const loanAccount = cluster.bank.account(loan);
  if (loanAccount === undefined) throw new Error('the loan does not exist');
  return {
    facts,
    registry,
    state,
    recorder,
    batches: collected.batches,
    trader: trader.wallet,
    loan,
    loanAccount,
    holder: holders.longest(() => true),
  };
}

/** At full hours and at the end: the simulation's steps are aligned to the clock, its end is not. */
function sampleHourly({ sample: _, ...step }: ClusterStep): ClusterStep {
  const isSampled = step.at.unix % 3_600n === 0n || step.at.unix === SIMULATION_END.unix;
  return isSampled ? { ...step, sample: 'hour' } : step;
}

/** When each address first appeared, and how often it changed. */
class ChangeCounter {
  readonly #seen = new Map<Address, { readonly first: UnixSeconds; changes: number }>();

  count(address: Address, at: UnixSeconds): void {
    const seen = this.#seen.get(address);
    if (seen === undefined) this.#seen.set(address, { first: at, changes: 1 });
    else seen.changes += 1;
  }

  /** The address with most changes among those of the first day. */
  longest(matches: (address: Address) => boolean): Address {
    const matching = [...this.#seen].filter(([address]) => matches(address));
    const firsts = matching.map(([, { first }]) => Number(first));
    const early = Math.min(...firsts) + 86_400;
    const [best] = matching
      .filter(([, { first }]) => Number(first) <= early)
      .sort(([, a], [, b]) => b.changes - a.changes);
    if (best === undefined) throw new Error('no address changed');
    return best[0];
  }
}

/** Collects batches until they hold enough rows. */
class BatchCollector {
  readonly batches: Batch[] = [];
  #missing: number;

  constructor(rows: number) {
    this.#missing = rows;
  }

  add(batch: Batch): void {
    if (this.#missing <= 0) return;
    this.batches.push(batch);
    this.#missing -= batch.points?.length ?? 0;
  }
}
