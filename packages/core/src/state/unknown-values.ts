import type { Address } from '../base/encoding/address.ts';
import { type UnknownValue, withoutIndexes } from '../base/encoding/unknown-values.ts';
import type { RawAccount } from '../base/solana/account.ts';
import type { Slot } from '../base/time.ts';
import {
  type AccountIdentity,
  type AccountKind,
  storedKind,
  unknownValuesIn,
} from './account-kinds.ts';

/** An unknown value of an account, since the slot in which it was first seen. */
export type FoundUnknownValue = UnknownValue & {
  readonly address: Address;
  readonly kind: AccountKind;
  readonly since: Slot;
};

/** The read side. */
export type UnknownValueReader = {
  /** Accounts with unknown values by kind, for the kinds that have some. */
  counts(): ReadonlyMap<AccountKind, number>;
  /** The first account of each kind and field, without regard to indexes; the same array until one changes. */
  examples(): readonly FoundUnknownValue[];
  of(address: Address): readonly FoundUnknownValue[];
  /** The accounts that have some, as they are now. */
  addresses(): ReadonlySet<Address>;
};

/** Accounts of a kind that are remembered. Any further one marks the kind as long as the state is in use. */
export const MAX_UNKNOWN_ACCOUNTS = 5_000;
const MAX_VALUES_PER_ACCOUNT = 8;

const NOTHING: readonly FoundUnknownValue[] = [];

/** The unknown values of the accounts of a state. */
export class UnknownValues implements UnknownValueReader {
  readonly #accounts = new Map<Address, readonly FoundUnknownValue[]>();
  readonly #counts = new Map<AccountKind, number>();
  /** By kind and field, in the order in which they were found. */
  readonly #groups = new Map<string, Map<string, FoundUnknownValue>>();
  #examples: readonly FoundUnknownValue[] | undefined = NOTHING;

  counts = (): ReadonlyMap<AccountKind, number> => this.#counts;

  of = (address: Address): readonly FoundUnknownValue[] => this.#accounts.get(address) ?? NOTHING;

  addresses = (): ReadonlySet<Address> => new Set(this.#accounts.keys());

  examples(): readonly FoundUnknownValue[] {
    this.#examples ??= [...this.#groups.values()].flatMap((group) => {
      const [first] = group.values();
      return first ?? [];
    });
    return this.#examples;
  }

  /** Call it for each change of an account. */
  update(
    address: Address,
    account: RawAccount | undefined,
    { identity, slot }: { readonly identity: AccountIdentity; readonly slot: Slot },
  ): void {
    const kind = kindOfKnownLayout(identity);
    if (account === undefined || kind === undefined) {
      this.delete(address);
      return;
    }
    const values = unknownValuesIn(kind, account.data);
    const before = this.of(address);
    if (values.length === 0 && before.length === 0) return;
    const found = values.slice(0, MAX_VALUES_PER_ACCOUNT).map((value): FoundUnknownValue => {
      const known = before.find(({ kind: old, field }) => old === kind && field === value.field);
      return known?.offset === value.offset && known.value === value.value
        ? known
        : { ...value, address, kind, since: known?.since ?? slot };
    });
    this.#replace(address, before, found);
  }

  /** Call it for an account that is not stored any more. */
  delete(address: Address): void {
    if (this.#accounts.size > 0) this.#replace(address, this.of(address), NOTHING);
  }

  #replace(
    address: Address,
    before: readonly FoundUnknownValue[],
    found: readonly FoundUnknownValue[],
  ): void {
    const kind = found[0]?.kind;
    const isTooMany = before.length === 0 && kind !== undefined && this.#isFull(kind);
    if (isTooMany) {
      for (const value of found) this.#addToGroup(FURTHER, value);
      return;
    }
    for (const value of before) {
      if (!found.some((other) => groupOf(other) === groupOf(value))) {
        this.#removeFromGroup(address, value);
      }
    }
    for (const value of found) if (!before.includes(value)) this.#addToGroup(address, value);
    this.#countAccount(before[0]?.kind, -1);
    this.#countAccount(kind, 1);
    if (found.length === 0) this.#accounts.delete(address);
    else this.#accounts.set(address, found);
  }

  #isFull = (kind: AccountKind): boolean => (this.#counts.get(kind) ?? 0) >= MAX_UNKNOWN_ACCOUNTS;

  #countAccount(kind: AccountKind | undefined, change: number): void {
    if (kind === undefined) return;
    const count = (this.#counts.get(kind) ?? 0) + change;
    if (count === 0) this.#counts.delete(kind);
    else this.#counts.set(kind, count);
  }

  #addToGroup(key: string, value: FoundUnknownValue): void {
    const group = this.#groups.get(groupOf(value)) ?? new Map();
    // an account that is in the group already does not change its place
    group.set(key, value);
    this.#groups.set(groupOf(value), group);
    this.#examples = undefined;
  }

  #removeFromGroup(address: Address, value: FoundUnknownValue): void {
    const group = this.#groups.get(groupOf(value));
    group?.delete(address);
    if (group?.size === 0) this.#groups.delete(groupOf(value));
    this.#examples = undefined;
  }
}

/** Key of the values beyond the limit: not an address, so that nothing removes them. */
const FURTHER = 'further';

/** Undefined for an account of another layout. */
const kindOfKnownLayout = (identity: AccountIdentity): AccountKind | undefined =>
  identity.kind === 'unreadable' && identity.hasKnownLayout === true
    ? identity.type
    : storedKind(identity);

const groupOf = ({ kind, field }: FoundUnknownValue): string => `${kind} ${withoutIndexes(field)}`;
