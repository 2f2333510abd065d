import { type Address, type ClusterAccount, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import {
  associatedTokenAddress,
  rentExemptLamports,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@tidegate/core/protocol/spl';
import {
  type Extensions,
  mint as mintLayout,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import { CodedError } from '../../errors/index.ts';

export type MintSpec = {
  readonly decimals: number;
  readonly tokenProgram: Address;
  /** The zero address if the token cannot be minted: wrapped SOL. */
  readonly authority: Address;
  readonly extensions?: Extensions;
  /** Extensions of every token account of the mint. */
  readonly accountExtensions?: Extensions['entries'];
};

type Holding = {
  readonly mint: Address;
  readonly owner: Address;
  readonly associated: boolean;
  amount: bigint;
};

/** All token accounts and mints. A supply is the sum of its accounts. */
export class TokenLedger {
  readonly #mints = new Map<Address, MintSpec>();
  readonly #holdings = new Map<Address, Holding>();
  readonly #associated = new Map<string, Address>();

  addMint(mint: Address, spec: MintSpec): void {
    this.#mints.set(mint, spec);
  }

  /** Opens a token account at a given address. */
  openAccount(address: Address, { mint, owner }: { mint: Address; owner: Address }): Address {
    return this.#add(address, { mint, owner, associated: false, amount: 0n });
  }

  has(address: Address): boolean {
    return this.#holdings.has(address);
  }

  /** Opens the associated account if it is missing. */
  associatedAccount(owner: Address, mint: Address): Address {
    const key = `${owner}/${mint}`;
    const existing = this.#associated.get(key);
    if (existing !== undefined) return existing;
    const address = associatedTokenAddress(owner, mint, this.#mint(mint).tokenProgram);
    this.#associated.set(key, address);
    return this.#add(address, { mint, owner, associated: true, amount: 0n });
  }

  supply(mint: Address): bigint {
    let sum = 0n;
    for (const holding of this.#holdings.values()) if (holding.mint === mint) sum += holding.amount;
    return sum;
  }

  issue(to: Address, amount: bigint): void {
    const holding = this.#holding(to);
    holding.amount = toLamports(holding.amount + amount);
  }

  accounts(): ReadonlyMap<Address, ClusterAccount> {
    const accounts = new Map<Address, ClusterAccount>();
    const supplies = new Map<Address, bigint>();
    for (const [address, holding] of this.#holdings) {
      supplies.set(holding.mint, (supplies.get(holding.mint) ?? 0n) + holding.amount);
      accounts.set(address, this.#tokenAccount(holding));
    }
    for (const [address, spec] of this.#mints) {
      accounts.set(address, mintAccount(address, spec, supplies.get(address) ?? 0n));
    }
    return accounts;
  }

  #tokenAccount({ mint, owner, associated, amount }: Holding): ClusterAccount {
    const { tokenProgram, accountExtensions } = this.#mint(mint);
    const isNative = mint === WRAPPED_SOL_MINT;
    const rent = rentExemptLamports(tokenAccount.size);
    const ownExtensions: Extensions['entries'] = associated
      ? [{ kind: 'immutableOwner', value: {} }]
      : [];
    const entries = [...ownExtensions, ...(accountExtensions ?? [])];
    const data = tokenAccount.encode({
      mint,
      owner,
      amount: toLamports(amount),
      ...NO_DELEGATE,
      state: 1,
      isNativeTag: isNative ? 1 : 0,
      isNative: toLamports(isNative ? rent : 0n),
      extensions: tokenProgram === TOKEN_PROGRAM ? undefined : { entries, rest: new Uint8Array(0) },
    });
    return {
      owner: tokenProgram,
      data,
      lamports: rentExemptLamports(data.length) + (isNative ? amount : 0n),
    };
  }

  #add(address: Address, holding: Holding): Address {
    if (this.#holdings.has(address)) throw malformed(`the token account ${address} already exists`);
    this.#mint(holding.mint);
    this.#holdings.set(address, holding);
    return address;
  }

  #holding(address: Address): Holding {
    const holding = this.#holdings.get(address);
    if (holding === undefined) throw malformed(`there is no token account ${address}`);
    return holding;
  }

  #mint(address: Address): MintSpec {
    const spec = this.#mints.get(address);
    if (spec === undefined) throw malformed(`there is no mint ${address}`);
    return spec;
  }
}

const NO_DELEGATE = {
  delegateTag: 0,
  delegate: ZERO_ADDRESS,
  delegatedAmount: toLamports(0n),
  closeAuthorityTag: 0,
  closeAuthority: ZERO_ADDRESS,
};

/** Wrapped SOL is not minted: its supply is always 0. */
function mintAccount(address: Address, spec: MintSpec, supply: bigint): ClusterAccount {
  const { authority, decimals, tokenProgram, extensions } = spec;
  const data = mintLayout.encode({
    mintAuthorityTag: authority === ZERO_ADDRESS ? 0 : 1,
    mintAuthority: authority,
    supply: toLamports(address === WRAPPED_SOL_MINT ? 0n : supply),
    decimals,
    isInitialized: 1,
    freezeAuthorityTag: 0,
    freezeAuthority: ZERO_ADDRESS,
    extensions,
  });
  return { owner: tokenProgram, data, lamports: rentExemptLamports(data.length) };
}

function malformed(reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: 'genesis', reason });
}
