import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import type { ChainTime } from '../../../base/time.ts';
import { klendRejection } from '../errors.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import type { LendingRules } from '../lending-rules.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';

/** The inputs that all operations share. */
export type LendingContext = {
  readonly market: LendingMarket;
  readonly time: ChainTime;
  readonly rules: LendingRules;
};

export type ReserveMap = ReadonlyMap<Address, Reserve>;

/** An obligation and all reserves of its positions and of the operation. */
export type ObligationPosition = { readonly obligation: Obligation; readonly reserves: ReserveMap };

export type ObligationDeposit = Obligation['deposits'][number];
export type ObligationBorrow = Obligation['borrows'][number];

export function reserveOf(reserves: ReserveMap, address: Address): Reserve {
  const reserve = reserves.get(address);
  if (reserve === undefined) {
    throw klendRejection('InvalidAccountInput', `the reserve ${address} is missing`);
  }
  return reserve;
}

export const withReserve = (reserves: ReserveMap, address: Address, reserve: Reserve): ReserveMap =>
  new Map(reserves).set(address, reserve);

/** Value of `config.status`. */
export const RESERVE_STATUS_OBSOLETE = 1;

export const isDeposit = (deposit: ObligationDeposit): boolean =>
  deposit.depositReserve !== ZERO_ADDRESS;

export const isBorrow = (borrow: ObligationBorrow): boolean =>
  borrow.borrowReserve !== ZERO_ADDRESS;

export const hasBorrows = (obligation: Obligation): boolean => obligation.borrows.some(isBorrow);

export const hasDeposits = (obligation: Obligation): boolean => obligation.deposits.some(isDeposit);

/** The index of the deposit in a reserve. Throws if there is none. */
export function findDepositIndex(obligation: Obligation, reserve: Address): number {
  if (!hasDeposits(obligation)) {
    throw klendRejection('ObligationDepositsEmpty', 'the obligation has no deposits');
  }
  const index = obligation.deposits.findIndex((deposit) => deposit.depositReserve === reserve);
  if (index === -1) {
    throw klendRejection(
      'InvalidObligationCollateral',
      `the obligation has no deposit in ${reserve}`,
    );
  }
  return index;
}

/** The index of the debt in a reserve. Throws if there is none. */
export function findBorrowIndex(obligation: Obligation, reserve: Address): number {
  if (!hasBorrows(obligation)) {
    throw klendRejection('ObligationBorrowsEmpty', 'the obligation has no debt');
  }
  const index = obligation.borrows.findIndex((borrow) => borrow.borrowReserve === reserve);
  if (index === -1) {
    throw klendRejection('InvalidObligationLiquidity', `the obligation has no debt in ${reserve}`);
  }
  return index;
}

/** The index of `reserve`, or the first unused index. Throws if all are used. */
export function findOrAllocateIndex(
  items: readonly Address[],
  reserve: Address,
): { readonly index: number; readonly isNew: boolean } {
  const index = items.indexOf(reserve);
  if (index !== -1) return { index, isNew: false };
  const free = items.indexOf(ZERO_ADDRESS);
  if (free === -1)
    throw klendRejection('ObligationReserveLimit', 'all entries of the obligation are used');
  return { index: free, isNew: true };
}

/** The element at a known index. */
export function elementAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw klendRejection('InvalidAccountInput', `there is no entry ${index}`);
  return item;
}

/** Marks an account stale. It must be refreshed before its next use. */
export const markStale = <T extends { readonly lastUpdate: Reserve['lastUpdate'] }>(
  account: T,
): T => ({
  ...account,
  lastUpdate: { ...account.lastUpdate, stale: 1 },
});

type Updated = { readonly lastUpdate: Reserve['lastUpdate'] };

/** Throws unless the account was refreshed in this slot with the given price checks. */
export function requireFresh(
  account: Updated,
  { time }: Pick<LendingContext, 'time'>,
  { what, checks }: { readonly what: 'Reserve' | 'Obligation'; readonly checks: number },
): void {
  const { slot, stale: isStale, priceStatus } = account.lastUpdate;
  if (isStale === 0 && slot === time.slot && (priceStatus & checks) === checks) return;
  const reason =
    isStale === 0 && slot === time.slot
      ? `its price checks are ${priceStatus & ALL_PRICE_CHECKS}, but ${checks} are required`
      : 'it was not refreshed in this slot';
  throw klendRejection(`${what}Stale`, reason);
}

/** Throws if the market or the reserve is in emergency mode. */
export function requireNoEmergencyMode(context: LendingContext, reserve: Reserve): void {
  requireNoMarketEmergency(context);
  requireNoReserveEmergency(reserve);
}

/** Throws if the reserve takes no new deposits or debts. The program checks its status before its emergency mode. */
export function requireOpenReserve(context: LendingContext, reserve: Reserve): void {
  requireNoMarketEmergency(context);
  requireNotObsolete(reserve);
  requireNoReserveEmergency(reserve);
}

export function requireNoMarketEmergency({ market }: Pick<LendingContext, 'market'>): void {
  if (market.emergencyMode === 0) return;
  throw klendRejection('GlobalEmergencyMode', 'the market is in emergency mode');
}

export function requireNoReserveEmergency({ config }: Reserve): void {
  if (config.emergencyMode === 0) return;
  throw klendRejection('ReserveEmergencyMode', 'the reserve is in emergency mode');
}

export function requireNotObsolete({ config }: Reserve): void {
  if (config.status !== RESERVE_STATUS_OBSOLETE) return;
  throw klendRejection('ReserveObsolete', 'the reserve is obsolete');
}

export function requireNonZeroAmount(amount: bigint): void {
  if (amount === 0n) throw klendRejection('InvalidAmount', 'the amount is zero');
}

/** Throws if the value of a position would be above zero but below the market's minimum. */
export function requireMinNetValue(value: Sf, { market }: LendingContext): void {
  if (value > 0n && value < market.minNetValueInObligationSf) {
    throw klendRejection(
      'NetValueRemainingTooSmall',
      'the position would be below the minimum value',
      {
        unit: 'usd',
        needed: market.minNetValueInObligationSf,
        available: value,
        limit: market.minNetValueInObligationSf,
      },
    );
  }
}

/** Older builds record which entries are used. The current build does not change these bytes. */
export function withAssetTiers(obligation: Obligation, { rules }: LendingContext): Obligation {
  if (rules.assetTiers === 'untouched') return obligation;
  const used = [...obligation.deposits.map(isDeposit), ...obligation.borrows.map(isBorrow)];
  const paddingDeprecatedAssetTiers = Uint8Array.from(used, (isUsed) => (isUsed ? 0 : 255));
  return { ...obligation, paddingDeprecatedAssetTiers };
}
