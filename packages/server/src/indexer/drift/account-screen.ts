import { type Address, bytesEqual, type ClusterAccount } from '@tidegate/core/base';
import { userState } from '@tidegate/core/protocol/farms/layout';
import { obligation, reserve } from '@tidegate/core/protocol/klend/layout';
import { vaultState } from '@tidegate/core/protocol/kvault/layout';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { AccountKind } from '@tidegate/core/state';
import type { DataSlice } from '../../chain/source/chain-source.ts';
import type { ScannedAccountSet } from '../follow/account-sets.ts';
import { BATCH, type DriftContext, SLOT_WAIT_MS } from './drift-context.ts';

/** Addresses of some kinds that are read together. */
type AddressBatch = {
  readonly addresses: readonly Address[];
  /** Undefined if they are read as a whole. */
  readonly witness: DataSlice | undefined;
};

/** Finds accounts that seem to differ from the chain, with few bytes. What it finds must be read again to be certain. */
export class AccountScreen {
  readonly #context: DriftContext;

  constructor(context: DriftContext) {
    this.#context = context;
  }

  /** All accounts of the kinds that state has. `isWhole`: without witnesses. */
  batchesOf(kinds: readonly AccountKind[], isWhole: boolean): AddressBatch[] {
    const witnessOf = (kind: AccountKind) => (isWhole ? undefined : witnesses[kind]);
    const unwitnessed = kinds.filter((kind) => witnessOf(kind) === undefined);
    const groups = [
      { kinds: unwitnessed, witness: undefined },
      ...kinds.flatMap((kind) => {
        const witness = witnessOf(kind);
        return witness === undefined ? [] : [{ kinds: [kind], witness }];
      }),
    ];
    return groups.flatMap(({ kinds: grouped, witness }) => {
      const addresses = Array.from(this.#context.state.accounts(grouped), (each) => each.address);
      return partsOf(addresses).map((part) => ({ addresses: part, witness }));
    });
  }

  /** Accounts that do not exist are left to the listings: nodes do not announce that one was closed. */
  async readBatch({ addresses, witness }: AddressBatch): Promise<Address[]> {
    const { source, state, followed } = this.#context;
    const maxBytes = witness && witness.offset + witness.length;
    const { slot, accounts } = await source.getAccounts(addresses, undefined, maxBytes);
    await followed.queue.waitForSlot(slot, SLOT_WAIT_MS);
    return addresses.filter((address, i) => {
      const account = accounts[i];
      const stored = state.stored(address);
      if (account === undefined || stored === undefined || stored.slot > slot) return false;
      return !this.#holds(address, witness ? slicedAccount(account, witness) : account, witness);
    });
  }

  /** Also finds accounts that state lacks. */
  async readSet({ kind, scan }: ScannedAccountSet, isWhole: boolean): Promise<Address[]> {
    const { source, state, followed } = this.#context;
    const { queue } = followed;
    const witness = isWhole ? undefined : witnesses[kind];
    const minSlot = queue.completeSlot;
    let found: Address[] = [];
    const { slot } = await source.streamProgram(
      { scan, content: witness ?? 'accounts', minSlot },
      {
        onStart: () => {
          found = [];
        },
        onAccount: ({ address, account }) => {
          if (!this.#holds(address, account, witness)) found.push(address);
        },
      },
    );
    await queue.waitForSlot(slot, SLOT_WAIT_MS);
    return found.filter((address) => {
      const stored = state.stored(address);
      return stored === undefined || stored.slot <= minSlot;
    });
  }

  #holds(address: Address, account: ClusterAccount, witness: DataSlice | undefined): boolean {
    const { state } = this.#context;
    if (state.unreadable.get(address) !== undefined) return true;
    if (witness === undefined) return state.holds(address, account);
    const stored = state.stored(address);
    return stored !== undefined && bytesEqual(slicedAccount(stored, witness).data, account.data);
  }
}

const slicedAccount = <Account extends { readonly data: Uint8Array }>(
  account: Account,
  { offset, length }: DataSlice,
): Account => ({ ...account, data: account.data.subarray(offset, offset + length) });

function partsOf(addresses: readonly Address[]): (readonly Address[])[] {
  const count = Math.ceil(addresses.length / BATCH);
  return Array.from({ length: count }, (_, i) => addresses.slice(i * BATCH, (i + 1) * BATCH));
}

/** The slot of the last update, and its flags. */
const LAST_UPDATE_BYTES = 10;

/**
 * Bytes that nearly every write of an account changes, so that they stand for all of it in most passes. Kinds without such
 * bytes are read as a whole. No slice has all: orders and the owner of a loan change without its last update, for example.
 */
const witnesses: { readonly [Kind in AccountKind]?: DataSlice } = {
  reserve: { offset: reserve.offsets.lastUpdate, length: LAST_UPDATE_BYTES },
  obligation: { offset: obligation.offsets.lastUpdate, length: LAST_UPDATE_BYTES },
  vault: between(vaultState.offsets.tokenAvailable, vaultState.offsets.vaultAllocationStrategy),
  farmUser: between(userState.offsets.activeStakeScaled, userState.offsets.bump),
  // all that state has of them, but for the mint, which the scan decides
  shares: between(tokenAccount.offsets.owner, tokenAccount.offsets.amount + 8),
};

function between(offset: number, end: number): DataSlice {
  return { offset, length: end - offset };
}
