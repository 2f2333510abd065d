import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { klendRefuses } from '@tidegate/core/protocol/klend';
import {
  type Obligation,
  obligation as obligationLayout,
  type Reserve,
  reserve as reserveLayout,
} from '@tidegate/core/protocol/klend/layout';
import {
  isBorrow,
  isDeposit,
  type Position,
  type Reserves,
} from '@tidegate/core/protocol/klend/operations';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Call } from '../../runtime/program.ts';
import { readFields, writeFields } from '../../runtime/typed-accounts.ts';
import { anchorFails } from '../framework/anchor-program.ts';

export function writeReserve(call: Call, address: Address, fields: Reserve): void {
  writeFields(call, reserveLayout, { address, fields });
}

/** Writes what an operation changed, and only that. */
export function writePosition(
  call: Call,
  address: Address,
  { before, after }: { readonly before: Position; readonly after: Position },
): void {
  for (const [key, fields] of after.reserves) {
    if (before.reserves.get(key) !== fields) writeReserve(call, key, fields);
  }
  if (after.obligation !== before.obligation) {
    writeFields(call, obligationLayout, { address, fields: after.obligation });
  }
}

/** An obligation without positions ends; its rent goes to the owner. */
export function closeObligation(call: Call, address: Address, owner: Address): void {
  call.log('Closing account');
  const { lamports } = call.account(address);
  call.change(address, { lamports: 0n, data: new Uint8Array(), owner: SYSTEM_PROGRAM });
  call.change(owner, { lamports: call.account(owner).lamports + lamports });
}

/** What `refreshObligation` is given behind its named accounts. */
export type PositionList = {
  readonly reserves: Reserves;
  /** Of the referrer, one per debt, if there is a referrer. */
  readonly referrerTokenStates: readonly Address[];
};

/** Refused unless it is exactly what `requirePositionList` says, and all reserves are writable. */
export function readPositionList(
  call: Call,
  obligation: Obligation,
  remaining: readonly Address[],
): PositionList {
  const addresses = requirePositionList(obligation, remaining);
  const readOnly = addresses.find((address) => !call.isWritable(address));
  if (readOnly !== undefined) {
    throw klendRefuses('InvalidAccountInput', `the reserve ${readOnly} is not writable`);
  }
  const referrerTokenStates = remaining.slice(addresses.length);
  return { reserves: readReserves(call, addresses), referrerTokenStates };
}

/** Reserves of the deposits, then of the debts, then a token state of the referrer, if there is one, for each debt. */
export function requirePositionList(
  obligation: Obligation,
  remaining: readonly Address[],
): readonly Address[] {
  const deposits = obligation.deposits.filter(isDeposit).map((each) => each.depositReserve);
  const borrows = obligation.borrows.filter(isBorrow).map((each) => each.borrowReserve);
  const reserves = [...deposits, ...borrows];
  const count = reserves.length + (hasReferrer(obligation) ? borrows.length : 0);
  if (remaining.length !== count) {
    const reason = `${remaining.length} accounts stand behind the named, ${count} are needed`;
    throw klendRefuses('InvalidAccountInput', reason);
  }
  const wrong = reserves.findIndex((address, i) => remaining[i] !== address);
  if (wrong === -1) return reserves;
  throw klendRefuses('InvalidAccountInput', `account ${wrong} behind the named is another one`);
}

/** Of the deposits in an elevation group, which a change of the debt counts against. */
export function readGroupReserves(
  call: Call,
  obligation: Obligation,
  remaining: readonly Address[],
): Reserves {
  if (obligation.elevationGroup === 0) return new Map();
  const deposits = obligation.deposits.filter(isDeposit).map((each) => each.depositReserve);
  deposits.forEach((address, i) => {
    const given = remaining[i];
    if (given === undefined) {
      throw klendRefuses('InvalidAccountInput', `the reserve ${address} of a deposit is missing`);
    }
    if (given !== address) throw anchorFails(call, 'RequireKeysEqViolated');
    if (!call.isWritable(address)) throw anchorFails(call, 'AccountNotMutable');
  });
  return readReserves(call, deposits);
}

const readReserves = (call: Call, addresses: readonly Address[]): Reserves =>
  new Map(addresses.map((address) => [address, readFields(call, reserveLayout, address)]));

export const hasReferrer = ({ referrer }: Obligation): boolean => referrer !== ZERO_ADDRESS;
