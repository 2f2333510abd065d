import type { Address, DecodedCall, Slots } from '@tidegate/core/base';
import {
  klendRefuses,
  type LendingRules,
  lendingMarketAuthority,
} from '@tidegate/core/protocol/klend';
import {
  type LendingMarket,
  lendingMarket,
  type Obligation,
  obligation,
  type Reserve,
  reserve,
} from '@tidegate/core/protocol/klend/layout';
import { OBSOLETE, type Terms } from '@tidegate/core/protocol/klend/operations';
import type { Call } from '../../runtime/program.ts';
import { readFields } from '../../runtime/typed-accounts.ts';
import { anchorFails } from '../framework/anchor-program.ts';

/** A call of the lending program, and how its build counts. */
export type Lending = { readonly call: Call; readonly rules: LendingRules };

/** The accounts of an instruction with these slots. */
export type Named<A extends Slots> = DecodedCall<A, Record<never, never>, undefined>['accounts'];

/** What every operation is told. Refused while the owners of the market have closed it. */
export function openMarket({ call, rules }: Lending, address: Address): Terms {
  const market = readMarket(call, address);
  if (market.emergencyMode !== 0) {
    throw klendRefuses('GlobalEmergencyMode', 'the market is in emergency mode');
  }
  return { market, time: call.time, rules };
}

export const readMarket = (call: Call, address: Address): LendingMarket =>
  readFields(call, lendingMarket, address);

/** The authority that signs for the market's vaults and mints. */
export function requireAuthority(call: Call, market: Address, authority: Address): void {
  if (authority === lendingMarketAuthority(market, call.program)) return;
  throw anchorFails(call, 'ConstraintSeeds', 'lendingMarketAuthority');
}

/** A reserve of that market. `slot`: where the instruction names it. */
export function readReserve(
  call: Call,
  address: Address,
  { market, slot = 'reserve' }: { readonly market: Address; readonly slot?: string },
): Reserve {
  const fields = readFields(call, reserve, address);
  if (fields.lendingMarket !== market) throw anchorFails(call, 'ConstraintHasOne', slot);
  return fields;
}

/** An obligation of that market and, where it is given, of that owner. */
export function readObligation(
  call: Call,
  address: Address,
  { market, owner }: { readonly market: Address; readonly owner?: Address },
): Obligation {
  const fields = readFields(call, obligation, address);
  const isOwned = owner === undefined || fields.owner === owner;
  if (fields.lendingMarket === market && isOwned) return fields;
  throw anchorFails(call, 'ConstraintHasOne', 'obligation');
}

type Accounts = { readonly [name: string]: Address | undefined };

/** Slots whose account is laid down, by the reserve for the most part. */
export function requireAddresses<A extends Accounts>(
  call: Call,
  accounts: A,
  expected: { readonly [Name in keyof A]?: Address },
): void {
  const other = differing(accounts, expected);
  if (other !== undefined) throw anchorFails(call, 'ConstraintAddress', other);
}

/** Slots for programs. */
export function requirePrograms<A extends Accounts>(
  call: Call,
  accounts: A,
  expected: { readonly [Name in keyof A]?: Address },
): void {
  const other = differing(accounts, expected);
  if (other !== undefined) throw anchorFails(call, 'InvalidProgramId', other);
}

function differing(accounts: Accounts, expected: Accounts): string | undefined {
  return Object.entries(expected).find(([name, address]) => accounts[name] !== address)?.[0];
}

/** Refused where the vault of the reserve stands for an account of the user. */
export function requireForeign(address: Address, vault: Address): void {
  if (address !== vault) return;
  throw klendRefuses('InvalidAccountInput', 'a vault of the reserve stands for a user account');
}

export function requireActive({ config }: Reserve): void {
  if (config.status === OBSOLETE) throw klendRefuses('ReserveObsolete', 'it is wound up');
}
