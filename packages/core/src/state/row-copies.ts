import type { Address } from '../base/encoding/address.ts';
import type { AccountKind } from './account-kinds.ts';
import type { AccountStore, StoredAccountBytes } from './account-store.ts';
import type { AccountStores } from './account-stores.ts';
import { addressKey } from './address-key.ts';
import { isSameLayout, type RowLayout } from './packed-rows.ts';
import { RowUnpacker } from './row-unpacker.ts';
import type { AccountStateUpdate } from './state-options.ts';
import type { StateVersions } from './state-versions.ts';
import { MAX_UNKNOWN_ACCOUNTS, type UnknownValueReader } from './unknown-values.ts';

/** Accounts of a kind as they are stored. Each part needs all parts of the kind before it. */
export type StateRows = {
  readonly kind: AccountKind;
  readonly layout: RowLayout;
  readonly bytes: Uint8Array;
};

type CopiedState = {
  /** Take them first. */
  readonly rows: Iterable<StateRows>;
  /** Everything else. */
  readonly accounts: Iterable<StoredAccountBytes>;
};

type CopyOptions = {
  readonly stores: AccountStores;
  readonly versions: StateVersions;
  readonly unknownValues: UnknownValueReader;
  readonly apply: (update: AccountStateUpdate) => void;
};

/** The kinds with hundreds of thousands of accounts. */
const PACKED = ['obligation', 'farmUser'] as const;

type PackedKind = (typeof PACKED)[number];

/**
 * Copies a state into another one. Accounts of the large kinds are copied as they are stored, for a sixth of the time that it
 * takes to unpack, send and pack them.
 */
export class RowCopies {
  readonly #options: CopyOptions;
  /** For rows of another release. */
  readonly #unpackers = new Map<AccountKind, RowUnpacker>();

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  /**
   * Everything that is readable, rows in parts of about `limit` bytes. The state may change between two parts: then some
   * accounts are missing or newer. A row has no unknown values: accounts with some are copied one by one, and all accounts of
   * a kind with more of them than are counted.
   */
  read(limit: number): CopiedState {
    const { unknownValues } = this.#options;
    const counts = unknownValues.counts();
    const kinds = PACKED.filter((kind) => (counts.get(kind) ?? 0) < MAX_UNKNOWN_ACCOUNTS);
    const apart = unknownValues.addresses();
    return { rows: this.#rows(kinds, apart, limit), accounts: this.#accounts(kinds, apart) };
  }

  /** Only into a new state, all parts in order, before anything else. */
  add({ kind, layout, bytes }: StateRows): void {
    const { stores, versions, apply } = this.#options;
    const store = isPacked(kind) ? stores[kind] : undefined;
    if (store !== undefined && isSameLayout(store.layout, layout)) {
      store.addRows(bytes, versions.of(kind) + 1);
      versions.count(kind);
      return;
    }
    const unpacker = this.#unpackers.get(kind) ?? new RowUnpacker(layout);
    this.#unpackers.set(kind, unpacker);
    for (const update of unpacker.unpack(bytes)) apply(update);
  }

  *#rows(
    kinds: readonly PackedKind[],
    apart: ReadonlySet<Address>,
    limit: number,
  ): Iterable<StateRows> {
    for (const kind of kinds) {
      const store = this.#options.stores[kind];
      for (const bytes of store.rows(limit, apart)) yield { kind, layout: store.layout, bytes };
    }
  }

  *#accounts(
    packed: readonly AccountKind[],
    apart: ReadonlySet<Address>,
  ): Iterable<StoredAccountBytes> {
    const stores: Readonly<Record<AccountKind, AccountStore>> = this.#options.stores;
    for (const kind of Object.keys(stores) as AccountKind[]) {
      if (!packed.includes(kind)) yield* stores[kind].accounts();
    }
    for (const address of apart) {
      for (const kind of packed) {
        const account = stores[kind].read(addressKey(address));
        if (account !== undefined) yield account;
      }
    }
  }
}

const isPacked = (kind: AccountKind): kind is PackedKind =>
  PACKED.some((packed) => packed === kind);
