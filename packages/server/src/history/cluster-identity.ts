import { type Slot, toSlot } from '@tidegate/core/base';
import type { Kysely } from 'kysely';
import { CodedError } from '../errors.ts';
import { readOrigin, writeOrigin } from './origin.ts';
import { hasTransactionsAfter } from './queries/transaction-signatures.ts';
import type { HistoryTables } from './schema/tables.ts';

/** What a cluster says about itself. */
export type ClusterIdentity = {
  readonly genesis: string;
  /**
   * Runs of a stored localnet, the newest last. Copies of a data folder have the same genesis and the same first runs.
   * Undefined for other clusters.
   */
  readonly runs?: readonly ClusterRun[] | undefined;
  /** What a localnet was simulated from, as it is stored. */
  readonly simulation?: string | undefined;
};

type ClusterRun = {
  readonly id: string;
  /** The newest slot when the run began. */
  readonly slot: Slot;
};

// keys in the database
const GENESIS_KEY = 'genesis';
const RUN_KEY = 'run';
export const SIMULATION_KEY = 'play';

/** A power failure loses less of the stored cluster. What the cluster lost is rolled back in the history. */
const MAX_LOST_SLOTS = 150n;

/** Throws HISTORY_OF_ANOTHER if the database has the history of another cluster. */
export async function requireSameCluster(
  db: Kysely<HistoryTables>,
  { genesis, runs, simulation }: ClusterIdentity,
): Promise<void> {
  const recordedGenesis = await readOrigin(db, GENESIS_KEY);
  if (recordedGenesis !== undefined && recordedGenesis !== genesis) {
    throw ofAnother(describeGenesis(recordedGenesis), describeGenesis(genesis));
  }
  const recordedSimulation = await readOrigin(db, SIMULATION_KEY);
  if (simulation !== undefined && (recordedSimulation ?? simulation) !== simulation) {
    throw ofAnother(recordedSimulation ?? '', simulation);
  }
  const run = await readOrigin(db, RUN_KEY);
  if (run === undefined || runs === undefined) return;
  if (await isOfRuns(db, run, runs)) return;
  throw ofAnother('a localnet whose data folder is a copy of this one', 'the one in this folder');
}

/** Whether the run is in the past of the cluster, with everything that was recorded of it. */
async function isOfRuns(
  db: Kysely<HistoryTables>,
  run: string,
  runs: readonly ClusterRun[],
): Promise<boolean> {
  const index = runs.findIndex(({ id }) => id === run);
  const next = runs[index + 1];
  if (index < 0 || next === undefined) return index >= 0;
  return !(await hasTransactionsAfter(db, toSlot(next.slot + MAX_LOST_SLOTS)));
}

/** From now on the database belongs to the cluster. Call it as the writer. */
export async function claimHistory(
  db: Kysely<HistoryTables>,
  identity: ClusterIdentity,
): Promise<void> {
  await requireSameCluster(db, identity);
  const run = identity.runs?.at(-1);
  await writeOrigin(db, GENESIS_KEY, identity.genesis);
  if (run !== undefined) await writeOrigin(db, RUN_KEY, run.id);
}

/** The cluster that a simulation must not write over; undefined if there is none. */
export async function readClaim(db: Kysely<HistoryTables>): Promise<string | undefined> {
  const genesis = await readOrigin(db, GENESIS_KEY);
  return genesis && describeGenesis(genesis);
}

const describeGenesis = (hash: string): string => `the cluster with the genesis hash ${hash}`;

const ofAnother = (found: string, expected: string): CodedError =>
  new CodedError('HISTORY_OF_ANOTHER', { found, expected });
