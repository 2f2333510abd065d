import type { ProgramRules } from '@tidegate/core/protocol/releases';
import type { ObservedSlot, ReplayedReleases, SlotProof } from '@tidegate/localnet/replay';

/** A slot to replay. */
export type ReplayTask = {
  readonly slot: ObservedSlot;
  readonly rules: ProgramRules;
};

/** A slot to store, and whose rules they are. */
export type ExampleTask = {
  readonly slot: ObservedSlot;
  readonly rules: ProgramRules;
  readonly releases: ReplayedReleases;
};

export type ReplayResult = {
  readonly proof: SlotProof;
  /** CPU time. */
  readonly ms: number;
};

/** Replays slots, one at a time. Rejects if its thread has ended. */
export type ProofExecutor = {
  replay(task: ReplayTask): Promise<ReplayResult>;
  /** The text of a counterexample. */
  describe(task: ExampleTask): Promise<string>;
  /** Replays a stored counterexample with other rules. Resolves to whether nothing differs any more. */
  recheck(text: string, rules: ProgramRules): Promise<boolean>;
  close(): Promise<void>;
};

export type NewProofRequest =
  | { readonly kind: 'replay'; readonly task: ReplayTask }
  | { readonly kind: 'describe'; readonly task: ExampleTask }
  | { readonly kind: 'recheck'; readonly text: string; readonly rules: ProgramRules };

export type ProofRequest = NewProofRequest & { readonly id: number };

export type ProofResponse = { readonly id: number } & (
  | { readonly kind: 'replay'; readonly result: ReplayResult }
  | { readonly kind: 'describe'; readonly text: string }
  | { readonly kind: 'recheck'; readonly isProven: boolean }
  | { readonly kind: 'failed'; readonly reason: string }
);
