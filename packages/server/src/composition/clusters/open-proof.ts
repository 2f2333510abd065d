import { join } from 'node:path';
import type { Logger, Slot } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import type { Config } from '../../cli/settings/settings.ts';
import type { ClusterName, HistoryMode } from '../../clusters/served-clusters.ts';
import type { UnprovenKinds } from '../../clusters/unproven-kinds.ts';
import { CounterexampleStore } from '../../proof/counterexample-store.ts';
import { LiveProof } from '../../proof/live-proof.ts';
import { ProofThread } from '../../proof/proof-thread.ts';

export type ProofSettings = Partial<Pick<Config, 'proofCpuPercent' | 'dataDir'>>;

type ProofParts = {
  readonly state: ClusterState;
  readonly source: ClusterSource;
  readonly unproven: UnprovenKinds;
  readonly hasAllPositions: () => boolean;
  /** The slot up to which all transactions are recorded; undefined if no history is recorded. */
  readonly recordingSlot: () => Slot | undefined;
  readonly historyMode?: HistoryMode | undefined;
  readonly clock: () => number;
  readonly log: Logger;
};

/** The folder of the counterexamples of a cluster. */
export const counterexampleFolder = (dataDir: string, env: ClusterName): string =>
  join(dataDir, 'proof', env);

/** Whether what happens is replayed. */
export const isProofOn = ({ proofCpuPercent = 0, dataDir }: ProofSettings): boolean =>
  proofCpuPercent > 0 && dataDir !== undefined;

/** Undefined if it is off. */
export function openProof(
  { env }: { readonly env: ClusterName },
  settings: ProofSettings,
  { state, source, recordingSlot, historyMode = 'full', ...parts }: ProofParts,
): LiveProof | undefined {
  const { proofCpuPercent: percent = 0, dataDir } = settings;
  if (!isProofOn(settings) || dataDir === undefined) return undefined;
  const { clock, log } = parts;
  const folder = counterexampleFolder(dataDir, env);
  const proof = new LiveProof({
    ...parts,
    state,
    percent,
    hasKeepers: env === 'localnet',
    executor: new ProofThread(),
    store: new CounterexampleStore({ folder, clock, log }),
    ledger: source.ledger,
    getAccounts: (...request) =>
      source.withPriority('backfill', () => source.getAccounts(...request)),
    rulesAt: state.rulesAt,
    eventSlot: () => (historyMode === 'full' ? recordingSlot() : undefined),
    random: Math.random,
  });
  void proof.start();
  return proof;
}
