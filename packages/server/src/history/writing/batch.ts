import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';
import type {
  EventInput,
  StateInput,
  StepInput,
  TransactionInput,
} from '../schema/event-tables.ts';
import type { SeriesPoint } from '../schema/series-tables.ts';

/** Rows that are written in one transaction. They are keyed by their content, so a second write is a no-op. */
export type Batch = {
  readonly points?: readonly SeriesPoint[];
  readonly lendingEvents?: readonly EventInput<'lendingEvent'>[];
  readonly vaultEvents?: readonly EventInput<'vaultEvent'>[];
  readonly farmEvents?: readonly EventInput<'farmEvent'>[];
  readonly transactions?: readonly TransactionInput[];
  readonly steps?: readonly StepInput[];
  readonly obligationStates?: readonly StateInput<'obligationState'>[];
  readonly vaultHoldings?: readonly StateInput<'vaultHolding'>[];
  readonly farmStakes?: readonly StateInput<'farmStake'>[];
  /** Loans whose events get the owner that other events of the same loan name. */
  readonly loansToOwn?: readonly Address[];
  readonly gaps?: readonly Gap[];
  readonly checkpoint?: Checkpoint;
};

/** A period for which a writer has no data. `name` is the name of its checkpoint. */
export type Gap = {
  readonly name: string;
  readonly since: UnixSeconds;
  readonly until: UnixSeconds;
};

/** The progress of a writer. It moves only in its direction. */
export type Checkpoint = {
  readonly name: string;
  readonly direction: 'newer' | 'older';
  readonly slot: Slot;
  readonly at: UnixSeconds;
};
