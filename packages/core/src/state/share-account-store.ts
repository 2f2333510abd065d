import { type Address, ZERO_ADDRESS } from '../base/encoding/address.ts';
import { type Lamports, toLamports } from '../base/numbers/lamports.ts';
import type { Slot } from '../base/time.ts';
import { associatedTokenAddress } from '../protocol/spl/associated-token.ts';
import { type TokenAccount, tokenAccount } from '../protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '../protocol/spl/programs.ts';
import type {
  AccountContent,
  AccountSelection,
  AccountStore,
  AccountWrite,
  StoredAccountBytes,
} from './account-store.ts';
import type { AddressKey } from './address-key.ts';
import type { ShareBalance } from './cluster-reader.ts';
import { sampleOf } from './sample-of.ts';

type ShareAccount = {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: Lamports;
  readonly slot: Slot;
};

const INITIALIZED = 1;

const emptyTokenAccount: TokenAccount & { readonly extensions: undefined } = {
  mint: ZERO_ADDRESS,
  owner: ZERO_ADDRESS,
  amount: toLamports(0n),
  delegateTag: 0,
  delegate: ZERO_ADDRESS,
  state: INITIALIZED,
  isNativeTag: 0,
  isNative: toLamports(0n),
  delegatedAmount: toLamports(0n),
  closeAuthorityTag: 0,
  closeAuthority: ZERO_ADDRESS,
  extensions: undefined,
};

/** Token accounts of the vaults' share mints. */
export class ShareAccountStore implements AccountStore {
  readonly #accounts = new Map<Address, ShareAccount>();
  readonly #byMint = new Map<Address, Set<Address>>();
  /** Mints whose token accounts are all stored. */
  readonly #complete = new Set<Address>();
  /**
   * Whether an account is the associated token account of its owner; cached because deriving is
   * slow.
   */
  readonly #associated = new Map<Address, boolean>();

  slotOf({ address }: AddressKey): Slot | undefined {
    return this.#accounts.get(address)?.slot;
  }

  read({ address }: AddressKey): StoredAccountBytes | undefined {
    const account = this.#accounts.get(address);
    return account && storedBytes(address, account);
  }

  put({ key, owner: program, data, slot }: AccountWrite): boolean {
    const { mint, owner, amount } = tokenAccount.view({ owner: program, data });
    const { address } = key;
    const old = this.#accounts.get(address);
    const isMoved = old !== undefined && (old.mint !== mint || old.owner !== owner);
    if (isMoved) this.remove(key);
    this.#accounts.set(address, { mint, owner, amount, slot });
    const addresses = this.#byMint.get(mint);
    if (addresses === undefined) this.#byMint.set(mint, new Set([address]));
    else addresses.add(address);
    return isMoved || old?.amount !== amount;
  }

  holds({ key, owner: program, data }: AccountContent): boolean {
    const { mint, owner, amount } = tokenAccount.view({ owner: program, data });
    const stored = this.#accounts.get(key.address);
    return stored?.mint === mint && stored.owner === owner && stored.amount === amount;
  }

  remove({ address }: AddressKey): void {
    const account = this.#accounts.get(address);
    if (account === undefined) return;
    this.#accounts.delete(address);
    this.#associated.delete(address);
    const addresses = this.#byMint.get(account.mint);
    addresses?.delete(address);
    if (addresses?.size === 0) this.#byMint.delete(account.mint);
  }

  olderThan(before: Slot, { mint, owner, except }: AccountSelection): Address[] {
    const addresses = mint === undefined ? this.#accounts.keys() : this.#byMint.get(mint);
    return [...(addresses ?? [])].filter((address) => {
      const account = this.#accounts.get(address);
      if (account === undefined || account.slot >= before) return false;
      if (owner !== undefined && account.owner !== owner) return false;
      return except === undefined || !except.has(address);
    });
  }

  /** Only what is stored: mint, owner and amount of an initialized account. */
  *accounts(): Iterable<StoredAccountBytes> {
    for (const [address, account] of this.#accounts) yield storedBytes(address, account);
  }

  sample(count: number, random: () => number): Address[] {
    return sampleOf(this.#accounts.keys(), count, random);
  }

  completeMints = (): readonly Address[] => [...this.#complete];

  setComplete(mint: Address, complete: boolean): void {
    if (complete) this.#complete.add(mint);
    else this.#complete.delete(mint);
  }

  /** The sum over all stored token accounts. */
  total(mint: Address): bigint {
    return this.#accountsOf(mint).reduce((sum, [, { amount }]) => sum + amount, 0n);
  }

  balances(mint: Address): ShareBalance[] {
    return this.#accountsOf(mint)
      .filter(([address, account]) => account.amount > 0n && this.#isAssociated(address, account))
      .map(([, { owner, amount }]) => ({ owner, amount }));
  }

  balance(mint: Address, owner: Address): bigint {
    const account = this.#accounts.get(associatedTokenAddress(owner, mint, TOKEN_PROGRAM));
    return account?.mint === mint && account.owner === owner ? account.amount : 0n;
  }

  owners(mint: Address): Address[] | undefined {
    if (!this.#complete.has(mint)) return undefined;
    const owners = new Set<Address>();
    for (const address of this.#byMint.get(mint) ?? []) {
      const account = this.#accounts.get(address);
      if (account !== undefined && account.amount > 0n) owners.add(account.owner);
    }
    return [...owners];
  }

  /** Sorted by address. */
  #accountsOf(mint: Address): [Address, ShareAccount][] {
    return [...(this.#byMint.get(mint) ?? [])].sort().flatMap((address) => {
      const account = this.#accounts.get(address);
      return account === undefined ? [] : [[address, account]];
    });
  }

  #isAssociated(address: Address, { owner, mint }: ShareAccount): boolean {
    const known = this.#associated.get(address);
    if (known !== undefined) return known;
    const associated = address === associatedTokenAddress(owner, mint, TOKEN_PROGRAM);
    this.#associated.set(address, associated);
    return associated;
  }
}

function storedBytes(
  address: Address,
  { mint, owner, amount, slot }: ShareAccount,
): StoredAccountBytes {
  const data = tokenAccount.encode({ ...emptyTokenAccount, mint, owner, amount });
  return { address, owner: TOKEN_PROGRAM, data, slot };
}
