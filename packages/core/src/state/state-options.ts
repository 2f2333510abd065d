import type { Address } from '../base/encoding/address.ts';
import type { Logger } from '../base/logger.ts';
import type { RawAccount } from '../base/solana/account.ts';
import type { Slot } from '../base/time.ts';
import type { RulesAt } from '../protocol/releases/program-rules.ts';
import type { AccountKind } from './account-kinds.ts';

/** An account at a slot; undefined if it does not exist. */
export type AccountStateUpdate = {
  readonly address: Address;
  readonly account: RawAccount | undefined;
  readonly slot: Slot;
  /** The subscribed kind: an account that is, or is stored as, another kind is ignored. */
  readonly onlyKind?: AccountKind | undefined;
};

export type StateOptions = {
  readonly log: Logger;
  /** The rules of the cluster's programs by slot. Defaults to those of the newest known releases. */
  readonly rulesAt?: RulesAt | undefined;
  /**
   * Called after each change; undefined if the account is no longer stored. Read the bytes at once.
   */
  readonly onChange?: (
    address: Address,
    account: RawAccount | undefined,
    change: AccountChange,
  ) => void;
  /** Called after `forget` has removed an account. */
  readonly onForget?: (address: Address) => void;
};

export type AccountChange = {
  readonly slot: Slot;
  /** Whether readers see another content than before, and not only the slot is newer. */
  readonly isVisible: boolean;
  /** Also of an account that is not stored, because it cannot be decoded. */
  readonly received: RawAccount | undefined;
};

export type StateStatistics = {
  readonly obligations: number;
  readonly obligationBytes: number;
  readonly farmUsers: number;
  readonly farmUserBytes: number;
  /** Accounts that cannot be decoded and are missing in responses. */
  readonly unreadable: number;
};
