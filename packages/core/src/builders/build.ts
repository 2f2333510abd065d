import type { Address } from '../base/encoding/address.ts';
import type { RawAccount } from '../base/solana/account.ts';
import type { Instruction } from '../base/solana/instruction.ts';
import type { ClusterReader } from '../state/cluster-reader.ts';
import type { BuildSummary } from './build-summary.ts';

/** The instructions of an unsigned transaction, and a description of them. */
export type Build = {
  /** The fee payer. Signs alone, unless its vault has a permissioning authority. */
  readonly wallet: Address;
  readonly instructions: readonly Instruction[];
  /** Only tables that shorten the transaction, in lookup order. */
  readonly lookupTables: readonly LookupTable[];
  readonly plan: BuildSummary;
};

/** `addresses`: all entries, in table order. */
export type LookupTable = { readonly address: Address; readonly addresses: readonly Address[] };

export type WalletAccount = RawAccount & { readonly lamports: bigint };

/**
 * Accounts read for a build. The value is undefined for a missing account; an unread account has no
 * key.
 */
export type WalletAccounts = ReadonlyMap<Address, WalletAccount | undefined>;

/** Addresses from a wallet's user metadata. They never change once set. */
export type WalletMetadata = {
  readonly lookupTable: Address | undefined;
  readonly referrer: Address | undefined;
};

/** All inputs of a build besides the request. */
export type BuildContext = {
  readonly state: ClusterReader;
  readonly accounts: WalletAccounts;
  /** From an earlier build of the wallet. Metadata in `accounts` takes precedence. */
  readonly walletMetadata?: WalletMetadata;
  /** The lookup table of the request's market, if it has one. */
  readonly marketLookupTable?: Address | undefined;
  /** Symbols of tokens that no reserve lends; null if unknown. */
  readonly symbolOf?: (mint: Address) => string | null;
};

/** Builds one kind of transaction. Both functions are pure. */
export type Builder<Request> = {
  /** Addresses to read before `build`. Empty when all are in the context. */
  requiredAccounts(request: Request, context: BuildContext): readonly Address[];
  build(request: Request, context: BuildContext): Build;
};

/** Added as the first instructions, if requested. */
export type ComputeBudget = {
  readonly computeUnitLimit?: number | undefined;
  /** Micro-lamports per compute unit. */
  readonly computeUnitPrice?: bigint | undefined;
};

/** An amount in smallest units, or the whole balance. */
export type AmountOrAll = bigint | 'all';
