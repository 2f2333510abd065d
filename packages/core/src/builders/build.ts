import type { Address } from '../base/encoding/address.ts';
import type { RawAccount } from '../base/solana/account.ts';
import type { Instruction } from '../base/solana/instruction.ts';
import type { ClusterReader } from '../state/cluster-reader.ts';
import type { Plan } from './plan.ts';

/** What a wallet would sign, and what it does. */
export type Build = {
  /** Pays the fee, and is the only one who signs. */
  readonly wallet: Address;
  readonly instructions: readonly Instruction[];
  /** Only those that make the transaction smaller, in the order in which an address is looked for. */
  readonly tables: readonly LookupTable[];
  readonly plan: Plan;
};

/** `addresses`: all of them, by their index in the table. */
export type LookupTable = { readonly address: Address; readonly addresses: readonly Address[] };

export type WalletAccount = RawAccount & { readonly lamports: bigint };

/** What was read for a build; undefined where an account does not exist, no key where it was not asked for. */
export type WalletAccounts = ReadonlyMap<Address, WalletAccount | undefined>;

/** What the user metadata of a wallet names; it never changes once it is set. */
export type WalletMetadata = {
  readonly lookupTable: Address | undefined;
  readonly referrer: Address | undefined;
};

/** Everything that a build depends on beside the request. */
export type BuildContext = {
  readonly state: ClusterReader;
  readonly accounts: WalletAccounts;
  /** Remembered from an earlier build of the wallet; what `accounts` hold goes before. */
  readonly facts?: WalletMetadata;
  /** The lookup table of the market that is acted on, where it has one. */
  readonly marketTable?: Address | undefined;
};

/** One thing that a wallet may want. Both are pure: the same arguments, the same answer. */
export type Builder<Request> = {
  /** Addresses to read before `build`, without those that were: none when everything is there. */
  needs(request: Request, scene: BuildContext): readonly Address[];
  build(request: Request, scene: BuildContext): Build;
};

/** In front of everything else, where the caller asks for it. */
export type ComputeBudget = {
  readonly computeUnitLimit?: number | undefined;
  /** Millionths of a lamport for each unit. */
  readonly computeUnitPrice?: bigint | undefined;
};

/** An amount of smallest units, or as much as there is. */
export type AmountOrAll = bigint | 'all';
