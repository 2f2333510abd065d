/** `@tidegate/localnet/replay`: executes what was observed in a slot again, and compares the accounts. */
export {
  type Counterexample,
  type FoundDifference,
  type ReplayedReleases,
  replayCounterexample,
  toCounterexample,
} from './counterexample.ts';
export { formatCounterexample, parseCounterexample } from './counterexample-text.ts';
export type { ObservedSlot, ObservedTransaction, SeenAccounts } from './observed-slot.ts';
export { replaySlot } from './replay-slot.ts';
export type {
  AccountProof,
  FieldDifference,
  NotProvableReason,
  ReplayedAccountKind,
  ReplayedCall,
  ReplayedProgram,
  ReplayVerdict,
  SlotProof,
  TransactionProof,
} from './slot-proof.ts';
