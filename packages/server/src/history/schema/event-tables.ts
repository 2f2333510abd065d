import type { ColumnTypes, InputRow, OutputRow } from './columns.ts';

/** The position of an event in the ledger. */
const position = {
  signature: 'bytes',
  /** Instruction indexes from the top-level instruction down to the call, one byte each. */
  path: 'bytes',
  /** One call may cause several events. */
  eventIndex: 'count',
  slot: 'slot',
  /** Index of the transaction in its slot. */
  transactionIndex: 'count',
  at: 'seconds',
  kind: 'count',
} as const satisfies ColumnTypes;

/** Prices of the token and of SOL at the time of the event. */
const prices = { priceSf: 'integer?', solPriceSf: 'integer?' } as const satisfies ColumnTypes;

export const eventColumns = {
  lendingEvent: {
    ...position,
    wallet: 'address?',
    market: 'address',
    obligation: 'address?',
    reserve: 'address?',
    /** Reserve of the collateral that a liquidation seizes. */
    otherReserve: 'address?',
    /** Mint of the reserve's token. */
    mint: 'address?',
    /** Wallet that paid a repayment. */
    payer: 'address?',
    elevationGroup: 'count?',
    liquidityAmount: 'integer?',
    collateralAmount: 'integer?',
    redeemedAmount: 'integer?',
    debtAmount: 'integer?',
    feeAmount: 'integer?',
    ...prices,
    otherPriceSf: 'integer?',
    /** SOL per whole token of a stake pool. */
    stakeRate: 'fraction?',
    otherStakeRate: 'fraction?',
    /** The ticket of a queued withdrawal. */
    withdrawTicket: 'address?',
    /** The vault whose cTokens were queued. */
    vault: 'address?',
  },
  vaultEvent: {
    ...position,
    wallet: 'address?',
    vault: 'address',
    reserve: 'address?',
    tokenAmount: 'integer?',
    sharesAmount: 'integer?',
    collateralAmount: 'integer?',
    crankAmount: 'integer?',
    roundingLossAmount: 'integer?',
    /** Counterparty of a transfer. */
    otherWallet: 'address?',
    ...prices,
    /** Whole tokens per whole share. */
    tokensPerShare: 'fraction?',
  },
  farmEvent: {
    ...position,
    wallet: 'address?',
    farm: 'address',
    /** The vault whose shares are staked, or the obligation whose stake the lending program set. */
    vault: 'address?',
    obligation: 'address?',
    userState: 'address?',
    /** New owner, when a stake changes ownership. */
    otherWallet: 'address?',
    otherUserState: 'address?',
    mint: 'address?',
    amount: 'integer?',
    feeAmount: 'integer?',
    ...prices,
    /** The farm again, only for an instruction of its administrators, so that an index finds these. */
    managedFarm: 'address?',
    signer: 'address?',
    /** The new delegate, the new authority, or the user state that is rewarded. */
    account: 'address?',
    rewardIndex: 'count?',
    configMode: 'count?',
    configData: 'bytes?',
  },
} as const satisfies Readonly<Record<string, ColumnTypes>>;

/** The end of the slot in which the position changed. */
const changeTime = { slot: 'slot', at: 'seconds' } as const satisfies ColumnTypes;

export const stateColumns = {
  /** `deflated`: the account's data; null after the account was closed. */
  obligationState: { obligation: 'address', ...changeTime, wallet: 'address', deflated: 'bytes?' },
  vaultHolding: {
    wallet: 'address',
    vault: 'address',
    ...changeTime,
    held: 'integer',
    staked: 'integer',
  },
  farmStake: {
    userState: 'address',
    ...changeTime,
    wallet: 'address',
    farm: 'address',
    /** Scaled by 10^18, except in a delegated farm. */
    stake: 'integer',
  },
} as const satisfies Readonly<Record<string, ColumnTypes>>;

/** The `getTransaction` result of a transaction with events. The events can be derived from it again. */
export const transactionColumns = {
  signature: 'bytes',
  slot: 'slot',
  transactionIndex: 'count',
  at: 'seconds',
  deflated: 'bytes',
} as const satisfies ColumnTypes;

export type TransactionInput = InputRow<typeof transactionColumns>;

/** Cluster steps encoded by `RawStepCodec`; `slot` is the slot of the last step. */
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

export const eventKey = ['signature', 'path', 'eventIndex'] as const;

export const stateKeyColumns = {
  obligationState: ['obligation'],
  vaultHolding: ['wallet', 'vault'],
  farmStake: ['userState'],
} as const satisfies { readonly [Table in StateTable]: readonly (keyof StateInput<Table>)[] };
