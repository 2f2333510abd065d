import type { ColumnTypes, InputRow, OutputRow } from './columns.ts';

/** Where an event happened, which is also what it is known by: one call may have several, its legs. */
const happened = {
  signature: 'bytes',
  /** The places of the call and of those that made it, a byte each. */
  path: 'bytes',
  leg: 'count',
  slot: 'slot',
  /** The transaction's place in its slot. */
  place: 'count',
  at: 'seconds',
  kind: 'count',
} as const satisfies ColumnTypes;

/** Of the token that the amounts are in, and of SOL. */
const prices = { priceSf: 'integer?', solPriceSf: 'integer?' } as const satisfies ColumnTypes;

export const eventColumns = {
  lendingEvent: {
    ...happened,
    wallet: 'address?',
    market: 'address',
    obligation: 'address?',
    reserve: 'address?',
    /** Whose collateral a liquidation takes. */
    otherReserve: 'address?',
    /** Of the reserve's token. */
    mint: 'address?',
    /** Who paid a repayment. */
    payer: 'address?',
    elevationGroup: 'count?',
    liquidityAmount: 'integer?',
    collateralAmount: 'integer?',
    redeemedAmount: 'integer?',
    debtAmount: 'integer?',
    feeAmount: 'integer?',
    ...prices,
    otherPriceSf: 'integer?',
    /** SOL for a whole token of a stake pool. */
    stakeRate: 'fraction?',
    otherStakeRate: 'fraction?',
  },
  vaultEvent: {
    ...happened,
    wallet: 'address?',
    vault: 'address',
    reserve: 'address?',
    tokenAmount: 'integer?',
    sharesAmount: 'integer?',
    collateralAmount: 'integer?',
    crankAmount: 'integer?',
    roundingLossAmount: 'integer?',
    /** The other side of a transfer. */
    otherWallet: 'address?',
    ...prices,
    /** Whole tokens for a whole share. */
    tokensPerShare: 'fraction?',
  },
  farmEvent: {
    ...happened,
    wallet: 'address?',
    farm: 'address',
    /** Whose shares the farm takes, or whose stake the lending program set. */
    vault: 'address?',
    obligation: 'address?',
    userState: 'address?',
    /** Who takes over, where a stake changes hands. */
    otherWallet: 'address?',
    otherUserState: 'address?',
    mint: 'address?',
    amount: 'integer?',
    feeAmount: 'integer?',
    ...prices,
  },
} as const satisfies Readonly<Record<string, ColumnTypes>>;

/** At the end of a slot in which it changed. */
const after = { slot: 'slot', at: 'seconds' } as const satisfies ColumnTypes;

export const stateColumns = {
  /** The account's bytes, deflated; none after it was closed. */
  obligationState: { obligation: 'address', ...after, wallet: 'address', deflated: 'bytes?' },
  vaultHolding: {
    wallet: 'address',
    vault: 'address',
    ...after,
    held: 'integer',
    staked: 'integer',
  },
  farmStake: {
    userState: 'address',
    ...after,
    wallet: 'address',
    farm: 'address',
    /** Times 10^18, but for a delegated farm. */
    stake: 'integer',
  },
} as const satisfies Readonly<Record<string, ColumnTypes>>;

/** What a node told of a transaction that has events, deflated; they can be made from it again. */
export const transactionColumns = {
  signature: 'bytes',
  slot: 'slot',
  place: 'count',
  at: 'seconds',
  deflated: 'bytes',
} as const satisfies ColumnTypes;

export type TransactionInput = InputRow<typeof transactionColumns>;

/** Steps of a cluster, as `RawStepCodec` has them: the slot is that of the last one. */
export const stepColumns = {
  slot: 'slot',
  part: 'count',
  at: 'seconds',
  deflated: 'bytes',
} as const satisfies ColumnTypes;

export type StepInput = InputRow<typeof stepColumns>;

export type EventTable = keyof typeof eventColumns;
export type StateTable = keyof typeof stateColumns;

export type EventInput<Table extends EventTable> = InputRow<(typeof eventColumns)[Table]>;
export type EventRow<Table extends EventTable> = OutputRow<(typeof eventColumns)[Table]>;
export type StateInput<Table extends StateTable> = InputRow<(typeof stateColumns)[Table]>;
export type StateRow<Table extends StateTable> = OutputRow<(typeof stateColumns)[Table]>;

export const eventKey = ['signature', 'path', 'leg'] as const;

export const stateKeyColumns = {
  obligationState: ['obligation'],
  vaultHolding: ['wallet', 'vault'],
  farmStake: ['userState'],
} as const satisfies { readonly [Table in StateTable]: readonly (keyof StateInput<Table>)[] };
