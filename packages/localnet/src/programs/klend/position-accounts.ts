import {
  type Address,
  bytesToText,
  FRACTION_BITS,
  type Sf,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  type Obligation,
  obligation as obligationLayout,
  type Reserve,
  reserve as reserveLayout,
} from '@tidegate/core/protocol/klend/layout';
import { collateralWorth, exchangeRate } from '@tidegate/core/protocol/klend/math';
import {
  isBorrow,
  isDeposit,
  type ObligationPosition,
  type ReserveMap,
  reserveOf,
} from '@tidegate/core/protocol/klend/operations';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

export function writeReserve(call: InvokeContext, address: Address, fields: Reserve): void {
  writeAccount(call, reserveLayout, { address, fields });
}

/** Writes the accounts that an operation has changed. */
export function writeLendingPosition(
  call: InvokeContext,
  address: Address,
  { before, after }: { readonly before: ObligationPosition; readonly after: ObligationPosition },
): void {
  for (const [key, fields] of after.reserves) {
    if (before.reserves.get(key) !== fields) writeReserve(call, key, fields);
  }
  if (after.obligation !== before.obligation) {
    writeAccount(call, obligationLayout, { address, fields: after.obligation });
  }
}

/** Closes an obligation without positions; the owner receives the rent. */
export function closeObligation(call: InvokeContext, address: Address, owner: Address): void {
  call.log('Closing account');
  const { lamports } = call.account(address);
  call.updateAccount(address, { lamports: 0n, data: new Uint8Array(), owner: SYSTEM_PROGRAM });
  call.updateAccount(owner, { lamports: call.account(owner).lamports + lamports });
}

/** The remaining accounts of `refreshObligation`. */
type ObligationReserves = {
  readonly reserves: ReserveMap;
  /** Token states of the referrer, one per debt. */
  readonly referrerTokenStates: readonly Address[];
};

/** Requires exactly the accounts of `requireObligationReserves`, with writable reserves. */
export function readObligationReserves(
  call: InvokeContext,
  obligation: Obligation,
  remaining: readonly Address[],
): ObligationReserves {
  const addresses = requireObligationReserves(obligation, remaining);
  const readOnly = addresses.find((address) => !call.isWritable(address));
  if (readOnly !== undefined) {
    throw klendRejection('InvalidAccountInput', `the reserve ${readOnly} is not writable`);
  }
  const referrerTokenStates = remaining.slice(addresses.length);
  return { reserves: readReserves(call, addresses), referrerTokenStates };
}

/**
 * Reserves of the deposits, then of the debts, then one referrer token state per debt if there is a
 * referrer.
 */
export function requireObligationReserves(
  obligation: Obligation,
  remaining: readonly Address[],
): readonly Address[] {
  const deposits = obligation.deposits.filter(isDeposit).map((position) => position.depositReserve);
  const borrows = obligation.borrows.filter(isBorrow).map((position) => position.borrowReserve);
  const reserves = [...deposits, ...borrows];
  const count = reserves.length + (hasReferrer(obligation) ? borrows.length : 0);
  if (remaining.length !== count) {
    const reason = `${remaining.length} accounts stand behind the named, ${count} are needed`;
    throw klendRejection('InvalidAccountInput', reason);
  }
  const wrong = reserves.findIndex((address, i) => remaining[i] !== address);
  if (wrong === -1) return reserves;
  throw klendRejection('InvalidAccountInput', `account ${wrong} behind the named is another one`);
}

/** Reserves of the deposits in an elevation group, which track the group's debt. */
export function readElevationGroupReserves(
  call: InvokeContext,
  obligation: Obligation,
  remaining: readonly Address[],
): ReserveMap {
  if (obligation.elevationGroup === 0) return new Map();
  const deposits = obligation.deposits.filter(isDeposit).map((position) => position.depositReserve);
  deposits.forEach((address, i) => {
    const account = remaining[i];
    if (account === undefined) {
      throw klendRejection('InvalidAccountInput', `the reserve ${address} of a deposit is missing`);
    }
    if (account !== address) throw anchorFailure(call, 'RequireKeysEqViolated');
    if (!call.isWritable(address)) throw anchorFailure(call, 'AccountNotMutable');
  });
  return readReserves(call, deposits);
}

const readReserves = (call: InvokeContext, addresses: readonly Address[]): ReserveMap =>
  new Map(addresses.map((address) => [address, readAccount(call, reserveLayout, address)]));

export const hasReferrer = ({ referrer }: Obligation): boolean => referrer !== ZERO_ADDRESS;

/** The log of a reserve refresh. */
export function logPrice(call: InvokeContext, reserve: Reserve): void {
  call.log(`Token: ${symbolOf(reserve)} Price: ${fourDigits(reserve.liquidity.marketPriceSf)}`);
}

/** The log of an obligation refresh: debts, then deposits. */
export function logPosition(
  call: InvokeContext,
  { obligation, reserves }: ObligationPosition,
  rules: LendingRules,
): void {
  for (const borrow of obligation.borrows.filter(isBorrow)) {
    const symbol = symbolOf(reserveOf(reserves, borrow.borrowReserve));
    const amount = fourDigits(borrow.borrowedAmountSf);
    const value = fourDigits(borrow.marketValueSf);
    const adjusted = fourDigits(borrow.borrowFactorAdjustedMarketValueSf);
    call.log(`Borrow: ${symbol} amount: ${amount} value: ${value} value_bf: ${adjusted}`);
  }
  for (const deposit of obligation.deposits.filter(isDeposit)) {
    const reserve = reserveOf(reserves, deposit.depositReserve);
    const liquidity = collateralWorth(exchangeRate(reserve, rules), deposit.depositedAmount);
    const value = fourDigits(deposit.marketValueSf);
    call.log(`Deposit: ${symbolOf(reserve)} amount: ${fourDigits(liquidity)} value: ${value}`);
  }
}

const symbolOf = ({ config }: Reserve): string => bytesToText(config.tokenInfo.name);

const HALF_OF_LAST_DIGIT = (1n << FRACTION_BITS) / 20_000n;
const HALF_BITS = FRACTION_BITS / 2n;

/** Rounds to four digits as the program does, which drops half of the fraction bits. */
function fourDigits(value: Sf): string {
  const rounded = value + HALF_OF_LAST_DIGIT;
  const fraction = BigInt.asUintN(Number(FRACTION_BITS), rounded);
  const digits = ((fraction >> HALF_BITS) * 10_000n) >> HALF_BITS;
  return `${rounded >> FRACTION_BITS}.${digits.toString().padStart(4, '0')}`;
}

/** The log of a debt change: the counters that limit it. */
export function logDebtCounters(
  call: InvokeContext,
  reserve: Address,
  { before, after }: { readonly before: ObligationPosition; readonly after: ObligationPosition },
): void {
  const { elevationGroup: group, deposits } = before.obligation;
  if (group === 0) {
    const counted = reserveOf(before.reserves, reserve).borrowedAmountOutsideElevationGroup;
    call.log(`Last refreshed borrows (outside elevation group) ${counted}`);
    return;
  }
  for (const { depositReserve } of deposits.filter(isDeposit)) {
    const { config, ...counted } = reserveOf(before.reserves, depositReserve);
    const oldAmount = counted.borrowedAmountsAgainstThisReserveInElevationGroups[group - 1];
    const reserveAfter = reserveOf(after.reserves, depositReserve);
    const newAmount = reserveAfter.borrowedAmountsAgainstThisReserveInElevationGroups[group - 1];
    const limit = config.borrowLimitAgainstThisCollateralInElevationGroup[group - 1];
    const prefix = `Refreshed debt in elevation group reserve ${depositReserve}`;
    call.log(`${prefix} before ${oldAmount} after ${newAmount} limit ${limit}`);
  }
}
