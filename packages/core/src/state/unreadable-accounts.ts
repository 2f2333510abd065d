import type { Address } from '../base/encoding/address.ts';
import type { Logger } from '../base/logger.ts';
import type { RawAccount } from '../base/solana/account.ts';
import type { Slot } from '../base/time.ts';
import type { AccountIdentity, AccountKind } from './account-kinds.ts';
import type { AccountSelection } from './account-store.ts';

/** Further accounts are counted, but not logged. */
const LOGGED = 1000;

/** Accounts that `first` returns. */
const LISTED = 20;

/** An account of a stored type that cannot be decoded. Its older bytes are not served. */
export type UnreadableAccount = {
  readonly address: Address;
  readonly kind: AccountKind;
  /** The program that owns the account. */
  readonly owner: Address;
  readonly size: number;
  /** Undefined if the type has no version, or the account is too short. */
  readonly version: bigint | undefined;
  readonly reason: string;
  /** The market of a reserve, the share mint of a vault, or the wallet of a loan or stake, read at its known position. */
  readonly belongsTo: Address | undefined;
};

/** The read side. */
export type UnreadableAccountReader = {
  readonly count: number;
  get(address: Address): UnreadableAccount | undefined;
  /** The first 20, in order of arrival. */
  first(): readonly UnreadableAccount[];
  /** With `belongsTo`: those that belong to it or to an unknown address. */
  ofKind(kind: AccountKind, belongsTo?: Address): readonly UnreadableAccount[];
};

type Entry = { readonly account: UnreadableAccount; readonly slot: Slot };

/** Remembers accounts that match a stored type but cannot be decoded; logs each once. */
export class UnreadableAccounts implements UnreadableAccountReader {
  readonly #log: Logger;
  readonly #entries = new Map<Address, Entry>();
  #logged = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** Call it for each change of an account. Returns the kinds whose unreadable accounts have changed. */
  update(
    address: Address,
    account: RawAccount | undefined,
    { identity, slot }: { readonly identity: AccountIdentity; readonly slot: Slot },
  ): AccountKind[] {
    const changed = [this.get(address)?.kind ?? []].flat();
    if (account === undefined || identity.kind !== 'unreadable') {
      this.delete(address);
      return changed;
    }
    this.put(unreadableAccount(address, account, identity), slot);
    return [...changed, identity.type];
  }

  put(account: UnreadableAccount, slot: Slot): void {
    const { address, kind, size, version, reason } = account;
    const isNew = !this.#entries.has(address);
    this.#entries.set(address, { account, slot });
    if (!isNew || this.#logged >= LOGGED) return;
    this.#logged++;
    this.#log.warn({ address, account: kind, size, version, reason }, 'account did not decode');
  }

  delete(address: Address): void {
    this.#entries.delete(address);
  }

  slotOf(address: Address): Slot | undefined {
    return this.#entries.get(address)?.slot;
  }

  get(address: Address): UnreadableAccount | undefined {
    return this.#entries.get(address)?.account;
  }

  first(): readonly UnreadableAccount[] {
    const found: UnreadableAccount[] = [];
    for (const { account } of this.#entries.values()) {
      if (found.length === LISTED) break;
      found.push(account);
    }
    return found;
  }

  ofKind(kind: AccountKind, belongsTo?: Address): readonly UnreadableAccount[] {
    if (this.#entries.size === 0) return [];
    return [...this.#entries.values()]
      .map(({ account }) => account)
      .filter((account) => account.kind === kind)
      .filter(
        (account) =>
          belongsTo === undefined ||
          account.belongsTo === undefined ||
          account.belongsTo === belongsTo,
      );
  }

  /** All of them with their slots, to copy them to another state. */
  entries(): readonly { readonly account: UnreadableAccount; readonly slot: Slot }[] {
    return [...this.#entries.values()];
  }

  /** Accounts of a kind with an older slot. */
  olderThan(slot: Slot, kind: AccountKind, selection: AccountSelection): Address[] {
    const { program, owner, addresses, except } = selection;
    return [...this.#entries.values()]
      .filter((entry) => entry.slot < slot)
      .map(({ account }) => account)
      .filter((account) => account.kind === kind && account.owner === program)
      .filter(({ belongsTo }) => owner === undefined || belongsTo === owner)
      .map(({ address }) => address)
      .filter((address) => addresses === undefined || addresses.has(address))
      .filter((address) => except === undefined || !except.has(address));
  }
}

function unreadableAccount(
  address: Address,
  { owner, data }: RawAccount,
  identity: Extract<AccountIdentity, { readonly kind: 'unreadable' }>,
): UnreadableAccount {
  const { type: kind, reason, version, belongsTo } = identity;
  return { address, kind, owner, size: data.length, version, reason, belongsTo };
}
