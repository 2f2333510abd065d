import {
  type Address,
  type Slot,
  toSlot,
  type UnixSeconds,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import type { Obligation } from '@tidegate/core/protocol/klend/layout';
import {
  EMPTY_LOAN,
  type FindDifference,
  findLoanDifference,
  findShareDifference,
  findStakeDifference,
  type LoanBalance,
  type LoanBalanceEvent,
  type ShareEvent,
  type StakeEvent,
} from '@tidegate/core/views/transactions';
import { type RawBuilder, sql } from 'kysely';
import { farmEventKinds, lendingEventKinds, vaultEventKinds } from '../event-kinds.ts';
import { decodeObligationState } from '../rows/obligation-states.ts';
import type { ColumnTypes } from '../schema/columns.ts';
import { stateColumns } from '../schema/event-tables.ts';
import { type HistoryReader, readRows } from './history-reader.ts';

/** A position whose recorded events must explain its recorded states. */
export type PositionKey =
  | { readonly kind: 'loan' | 'stake'; readonly address: Address }
  | { readonly kind: 'shares'; readonly wallet: Address; readonly vault: Address };

export type PositionKind = PositionKey['kind'];

export type StateOf<State> = {
  readonly slot: Slot;
  readonly at: UnixSeconds;
  readonly subject: string;
  /** Slot of its last operation, if the state has it. */
  readonly touchedAt?: Slot | undefined;
  readonly wallet: Address;
  readonly place: Address | undefined;
  readonly state: State;
};
type EventOf<Event> = { readonly subject: string; readonly event: Event };

/** How positions of a kind are read. */
export type Kind<State, Event extends { readonly slot: Slot }> = {
  /** Of a key, in the order of the columns that identify a position. */
  readonly addressesOf: (key: PositionKey) => readonly Address[];
  /** `openings`: rows with the ids of a subject as `a` and `b`, and the slot and time of its first state. */
  readonly readStates: (
    reader: HistoryReader,
    from: RawBuilder<unknown>,
  ) => Promise<StateOf<State>[]>;
  readonly stateTable: RawBuilder<unknown>;
  readonly isOfSubject: RawBuilder<unknown>;
  readonly readEvents: (
    reader: HistoryReader,
    openings: RawBuilder<unknown>,
    upTo: Slot,
  ) => Promise<EventOf<Event>[]>;
  readonly empty: State;
  readonly findDifference: FindDifference<State, Event>;
};

const singleAddress = (key: PositionKey): readonly Address[] =>
  key.kind === 'shares' ? [] : [key.address];

/** The times of events and states of a slot may differ: an index finds events by time. */
const TIME_SLACK = sql.raw('3600');

const EVENT_ORDER = sql.raw('order by slot, place, path, leg');

const readEventRows = <Columns extends ColumnTypes>(
  reader: HistoryReader,
  columns: Columns,
  { table, isOfSubject, openings, upTo }: EventsOf,
) =>
  readRows(
    reader,
    columns,
    sql`from (select event.* from ${openings} join ${table} as event on ${isOfSubject}
      and event.at >= subject.at - ${TIME_SLACK} and event.slot > subject.slot
      and event.slot <= ${upTo}::int8) as events ${EVENT_ORDER}`,
  );

type EventsOf = {
  readonly table: RawBuilder<unknown>;
  readonly isOfSubject: RawBuilder<unknown>;
  readonly openings: RawBuilder<unknown>;
  readonly upTo: Slot;
};

const loanEventColumns = {
  slot: 'slot',
  kind: 'count',
  obligation: 'address?',
  reserve: 'address?',
  otherReserve: 'address?',
  collateralAmount: 'integer?',
  liquidityAmount: 'integer?',
  debtAmount: 'integer?',
} as const satisfies ColumnTypes;

export const loans: Kind<LoanBalance, LoanBalanceEvent> = {
  addressesOf: singleAddress,
  stateTable: sql.raw('obligation_state'),
  isOfSubject: sql.raw('state.obligation = subject.a'),
  empty: EMPTY_LOAN,
  findDifference: findLoanDifference,
  readStates: async (reader, from) =>
    (await readRows(reader, stateColumns.obligationState, from)).map((row) => {
      const { slot, at, wallet, obligation } = row;
      const fields = decodeObligationState(row);
      const state = fields === undefined ? EMPTY_LOAN : balanceOf(fields);
      const touchedAt = fields && state.refreshedAt;
      return {
        subject: obligation,
        slot,
        at,
        wallet,
        place: fields?.lendingMarket,
        state,
        touchedAt,
      };
    }),
  readEvents: async (reader, openings, upTo) => {
    const isOfSubject = sql.raw('event.obligation = subject.a');
    const query = { table: sql.raw('lending_event'), isOfSubject, openings, upTo };
    const rows = await readEventRows(reader, loanEventColumns, query);
    return rows.flatMap(({ obligation, kind: number, ...amounts }) => {
      const kind = lendingEventKinds[number];
      if (obligation === null || kind === undefined) return [];
      return [{ subject: obligation, event: { ...amounts, kind } }];
    });
  },
};

function balanceOf({ deposits, borrows, lastUpdate }: Obligation): LoanBalance {
  const debts = borrows.filter(({ borrowReserve }) => borrowReserve !== ZERO_ADDRESS);
  return {
    refreshedAt: toSlot(lastUpdate.slot),
    deposits: new Map(
      deposits
        .filter(({ depositReserve }) => depositReserve !== ZERO_ADDRESS)
        .map(({ depositReserve, depositedAmount }) => [depositReserve, depositedAmount]),
    ),
    debts: new Map(
      debts.map(({ borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf }) => [
        borrowReserve,
        { amount: borrowedAmountSf, rate: cumulativeBorrowRateBsf.value },
      ]),
    ),
  };
}

const shareEventColumns = {
  slot: 'slot',
  kind: 'count',
  wallet: 'address?',
  vault: 'address',
  sharesAmount: 'integer?',
} as const satisfies ColumnTypes;

export const shares: Kind<bigint, ShareEvent> = {
  addressesOf: (key) => (key.kind === 'shares' ? [key.wallet, key.vault] : []),
  stateTable: sql.raw('vault_holding'),
  isOfSubject: sql.raw('state.wallet = subject.a and state.vault = subject.b'),
  empty: 0n,
  findDifference: findShareDifference,
  readStates: async (reader, from) =>
    (await readRows(reader, stateColumns.vaultHolding, from)).map((row) => {
      const { slot, at, wallet, vault, held, staked } = row;
      return {
        subject: `${wallet} ${vault}`,
        slot,
        at,
        wallet,
        place: vault,
        state: held + staked,
      };
    }),
  readEvents: async (reader, openings, upTo) => {
    const isOfSubject = sql.raw('event.wallet = subject.a and event.vault = subject.b');
    const query = { table: sql.raw('vault_event'), isOfSubject, openings, upTo };
    const rows = await readEventRows(reader, shareEventColumns, query);
    return rows.flatMap(({ wallet, vault, kind: number, ...amounts }) => {
      const kind = vaultEventKinds[number];
      return kind === undefined
        ? []
        : [{ subject: `${wallet} ${vault}`, event: { ...amounts, kind } }];
    });
  },
};

const stakeEventColumns = {
  slot: 'slot',
  kind: 'count',
  userState: 'address?',
  otherUserState: 'address?',
  amount: 'integer?',
} as const satisfies ColumnTypes;

export const stakes: Kind<bigint, StakeEvent> = {
  addressesOf: singleAddress,
  stateTable: sql.raw('farm_stake'),
  isOfSubject: sql.raw('state.user_state = subject.a'),
  empty: 0n,
  findDifference: findStakeDifference,
  readStates: async (reader, from) =>
    (await readRows(reader, stateColumns.farmStake, from)).map((row) => {
      const { slot, at, wallet, farm: place, userState: subject, stake: state } = row;
      return { subject, slot, at, wallet, place, state };
    }),
  readEvents: async (reader, openings, upTo) => {
    const read = (column: string) =>
      readEventRows(reader, stakeEventColumns, {
        table: sql.raw('farm_event'),
        isOfSubject: sql.raw(`event.${column} = subject.a`),
        ...{ openings, upTo },
      });
    const sent = await read('user_state');
    return sent.flatMap(({ userState, otherUserState: _, kind: number, ...amounts }) => {
      const kind = farmEventKinds[number];
      if (userState === null || kind === undefined) return [];
      return [{ subject: userState, event: { ...amounts, kind, userState } }];
    });
  },
};
