import type { Address, ClusterAccount } from '@tidegate/core/base';

/** The programs whose accounts are compared. */
export type ReplayedProgram = 'klend' | 'kvault' | 'farms';

export type ReplayedAccountKind =
  | 'market'
  | 'reserve'
  | 'obligation'
  | 'vault'
  | 'farm'
  | 'farmsConfig'
  | 'farmUser'
  | 'withdrawTicket'
  | 'lendingConfig'
  | 'vaultConfig'
  | 'reserveWhitelistEntry'
  | 'userMetadata'
  | 'referrerState'
  | 'other';

export type ReplayVerdict = 'proven' | 'differing' | 'notProvable';

export type NotProvableReason =
  /** Nobody saw the account before the slot. */
  | 'stateBeforeUnknown'
  /** Nobody saw the account after the slot. */
  | 'stateAfterUnknown'
  /** A program that is not modelled wrote the account, or decided the outcome of the transaction. */
  | 'unknownProgram'
  | 'unknownInstruction'
  /** The transaction reads an account that nobody saw and that its balances do not describe. */
  | 'accountUnknown'
  /** The account changed, and no seen transaction explains it. */
  | 'transactionMissing'
  | 'transactionUnreadable'
  /** The node did not record the calls of a program that is not modelled. */
  | 'innerCallsMissing'
  /** A transaction before it in the slot is not provable or differs, so the state in between is unknown. */
  | 'earlierTransaction'
  /** An oracle wrote prices in the slot that nobody saw. */
  | 'priceUnknown'
  /** The runtime or a token program failed the transaction: compute units, balances, sizes. */
  | 'runtimeError'
  /** The model has no rule for what the transaction or an account contains. */
  | 'unmodelled'
  /** Only the interest could be checked, and it does not show what else changed. */
  | 'accrualUnknown';

export type FieldDifference = {
  /** Its path in the layout, such as `liquidity.borrowedAmountSf`. */
  readonly field: string;
  /** Of the first byte that differs, from the start of the account. */
  readonly offset: number;
  /** The value of the replay. */
  readonly expected: string;
  /** The value of the cluster. */
  readonly actual: string;
};

type Verdict = {
  readonly verdict: ReplayVerdict;
  /** Only if it is not provable. */
  readonly reason?: NotProvableReason;
  readonly detail?: string;
};

/** What the replay of a slot says about an account that was written in it. */
export type AccountProof = Verdict & {
  readonly address: Address;
  readonly program: ReplayedProgram;
  readonly kind: ReplayedAccountKind;
  /** Names of the instructions of the account's program that wrote it in this slot, in order; `accrual` if only the interest was checked. */
  readonly instructions: readonly string[];
  readonly signatures: readonly string[];
  readonly differences?: readonly FieldDifference[];
  /** What the replay left, of an account that nobody saw after the slot: whoever reads it can compare. */
  readonly ours?: ClusterAccount;
};

/** A call of one of the programs. */
export type ReplayedCall = { readonly program: ReplayedProgram; readonly instruction: string };

/** Whether a transaction had the outcome that the replay has. */
export type TransactionProof = Verdict & {
  readonly signature: string;
  readonly index: number;
  readonly hasFailed: boolean;
  /** Calls of the programs, in order; those of programs that called them too. */
  readonly calls: readonly ReplayedCall[];
  /** Balances of tokens, or the error of the transaction. */
  readonly differences?: readonly FieldDifference[];
};

export type SlotProof = {
  readonly accounts: readonly AccountProof[];
  readonly transactions: readonly TransactionProof[];
};
