import type { Slot, UnixSeconds } from '@tidegate/core/base';
import type {
  EventInput,
  StateInput,
  StepInput,
  TransactionInput,
} from '../schema/event-tables.ts';
import type { SeriesPoint } from '../schema/series-tables.ts';

/** What is written as a whole or not at all. Everything in it is known by what it is, so that a second time changes nothing. */
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
  readonly gaps?: readonly Gap[];
  readonly checkpoint?: Checkpoint;
};

/** A time in which whoever has that name saw nothing. */
export type Gap = {
  readonly name: string;
  readonly since: UnixSeconds;
  readonly until: UnixSeconds;
};

/** How far whoever has that name has come; it goes on in its direction and never back. */
export type Checkpoint = {
  readonly name: string;
  readonly towards: 'newer' | 'older';
  readonly slot: Slot;
  readonly at: UnixSeconds;
};
