import { createHash } from 'node:crypto';
import type { AccountCodec } from '#core/base/solana/account.ts';
import {
  ADDRESS_BYTES,
  type Address,
  addressFromBytes,
  addressToBytes,
} from '#core/base/encoding/address.ts';
import { isOnCurve } from '#core/base/solana/curve25519.ts';
import type { Shape } from '#core/base/encoding/layout.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligationAddress, userMetadataAddress } from '#core/protocol/klend/pda.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import type { GoldenAccount } from '../../test/support/golden/golden.ts';

export type GeneratedWallets = {
  readonly wallets: readonly Address[];
  readonly accounts: ReadonlyMap<Address, GoldenAccount>;
};

type Accounts = ReadonlyMap<Address, GoldenAccount>;

/**
 * As many wallets as asked for, the same for every caller, each with what `original` has: metadata, plain loans, stakes
 * and tokens, at the addresses that follow from its own key. Addresses that were derived lately are found faster, which
 * one wallet that acts again and again would show and wallets in turn do not.
 */
export function generateWallets(original: Address, accounts: Accounts, count: number): GeneratedWallets {
  const wallets = Array.from({ length: count }, (_, index) => keyOf(`${original} ${index}`));
  const addressesOf = ownAddresses(accounts);
  const old = addressesOf(original);
  const copies = wallets.flatMap((wallet) => {
    const made = addressesOf(wallet);
    const renamed = old.map((address, i): Renamed => [address, made[i] ?? address]);
    return renamed.flatMap(([from, to]): [Address, GoldenAccount][] => {
      const account = accounts.get(from);
      return account === undefined
        ? []
        : [[to, { ...account, data: rename(account.data, renamed) }]];
    });
  });
  return { wallets, accounts: new Map(copies) };
}

/** Of any wallet, in the same order: the wallet, then all that is derived from it. */
function ownAddresses(accounts: Accounts): (wallet: Address) => Address[] {
  const markets = ofKind(accounts, lendingMarket);
  const farms = ofKind(accounts, farmState);
  const mints = [...accounts].filter(([, account]) => mint.matches(account));
  return (wallet) => {
    const loans = markets.map((market) =>
      obligationAddress({ kind: 'vanilla', owner: wallet, lendingMarket: market }),
    );
    const stakes = [wallet, ...loans].flatMap((delegatee) =>
      farms.map((farm) => userStateAddress(farm, delegatee)),
    );
    const tokens = mints.map(([address, { owner }]) => associatedTokenAddress(wallet, address, owner));
    return [wallet, userMetadataAddress(wallet), ...loans, ...stakes, ...tokens];
  };
}

function ofKind<S extends Shape>(accounts: Accounts, kind: AccountCodec<S>): Address[] {
  return [...accounts].filter(([, account]) => kind.matches(account)).map(([address]) => address);
}

type Renamed = readonly [from: Address, to: Address];

/** Keys stand anywhere in an account; no other 32 bytes are the same. */
function rename(data: Uint8Array, renamed: readonly Renamed[]): Uint8Array {
  const copy = Buffer.from(data);
  for (const [from, to] of renamed) {
    const key = addressToBytes(from);
    for (let at = copy.indexOf(key); at !== -1; at = copy.indexOf(key, at + ADDRESS_BYTES)) {
      copy.set(addressToBytes(to), at);
    }
  }
  return copy;
}

/** A key that somebody may have: about half of all numbers are none. */
function keyOf(name: string): Address {
  for (let nonce = 0; ; nonce++) {
    const key = createHash('sha256').update(`${name} ${nonce}`).digest();
    if (isOnCurve(key)) return addressFromBytes(key);
  }
}
