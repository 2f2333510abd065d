import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import type { ChainTime } from '../../../base/time.ts';
import { klendRejection } from '../errors.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import type { LendingRules } from '../lending-rules.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';

/** What every operation is told beside its own request. */
export type LendingContext = {
  readonly market: LendingMarket;
  readonly time: ChainTime;
  readonly rules: LendingRules;
};

export type ReserveMap = ReadonlyMap<Address, Reserve>;

/** An obligation and, by address, every reserve that it uses or that is acted on. */
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

/** `config.status` of a reserve that is being wound up. */
export const RESERVE_STATUS_OBSOLETE = 1;

export const isDeposit = (deposit: ObligationDeposit): boolean =>
  deposit.depositReserve !== ZERO_ADDRESS;

export const isBorrow = (borrow: ObligationBorrow): boolean =>
  borrow.borrowReserve !== ZERO_ADDRESS;

export const hasBorrows = (obligation: Obligation): boolean => obligation.borrows.some(isBorrow);

export const hasDeposits = (obligation: Obligation): boolean => obligation.deposits.some(isDeposit);

/** The place of a deposit; refused when there is none of that reserve. */
export function findDepositIndex(obligation: Obligation, reserve: Address): number {
  if (!hasDeposits(obligation)) {
    throw klendRejection('ObligationDepositsEmpty', 'the obligation has no deposits');
  }
  const place = obligation.deposits.findIndex((deposit) => deposit.depositReserve === reserve);
  if (place === -1) {
    throw klendRejection('InvalidObligationCollateral', `it has no deposit in ${reserve}`);
  }
  return place;
}

/** The place of a debt; refused when there is none of that reserve. */
export function findBorrowIndex(obligation: Obligation, reserve: Address): number {
  if (!hasBorrows(obligation)) {
    throw klendRejection('ObligationBorrowsEmpty', 'the obligation has no debt');
  }
  const place = obligation.borrows.findIndex((borrow) => borrow.borrowReserve === reserve);
  if (place === -1) {
    throw klendRejection('InvalidObligationLiquidity', `it has no debt in ${reserve}`);
  }
  return place;
}

/** The place of `reserve`, or the first free one; refused when all are taken. */
export function findOrAllocateIndex(
  items: readonly Address[],
  reserve: Address,
): { readonly place: number; readonly isNew: boolean } {
  const place = items.indexOf(reserve);
  if (place !== -1) return { place, isNew: false };
  const free = items.indexOf(ZERO_ADDRESS);
  if (free === -1) throw klendRejection('ObligationReserveLimit', 'all its places are taken');
  return { place: free, isNew: true };
}

/** The element at a place that was found before. */
export function elementAt<Item>(items: readonly Item[], place: number): Item {
  const item = items[place];
  if (item === undefined) throw klendRejection('InvalidAccountInput', `there is no place ${place}`);
  return item;
}

/** Marks an account as changed: it must be refreshed before its next use. */
export const markStale = <T extends { readonly lastUpdate: Reserve['lastUpdate'] }>(
  account: T,
): T => ({
  ...account,
  lastUpdate: { ...account.lastUpdate, stale: 1 },
});

type Updated = { readonly lastUpdate: Reserve['lastUpdate'] };

/** Refused unless refreshed in this slot with these price checks passed. */
export function requireFresh(
  account: Updated,
  { time }: Pick<LendingContext, 'time'>,
  { what, checks }: { readonly what: 'Reserve' | 'Obligation'; readonly checks: number },
): void {
  const { slot, stale: isStale, priceStatus } = account.lastUpdate;
  if (isStale === 0 && slot === time.slot && (priceStatus & checks) === checks) return;
  const reason =
    isStale === 0 && slot === time.slot
      ? `its price checks are ${priceStatus & ALL_PRICE_CHECKS}, ${checks} are needed`
      : 'it was not refreshed in this slot';
  throw klendRejection(`${what}Stale`, reason);
}

/** Refused while the market or the reserve is closed by its owners. */
export function requireNoEmergencyMode({ market }: LendingContext, reserve: Reserve): void {
  if (market.emergencyMode !== 0) {
    throw klendRejection('GlobalEmergencyMode', 'the market is in emergency mode');
  }
  if (reserve.config.emergencyMode !== 0) {
    throw klendRejection('ReserveEmergencyMode', 'the reserve is in emergency mode');
  }
}

export function requireNonZeroAmount(amount: bigint): void {
  if (amount === 0n) throw klendRejection('InvalidAmount', 'the amount is zero');
}

/** Refused when a position would be left with a value above zero and below the market's minimum. */
export function requireMinNetValue(value: Sf, { market }: LendingContext): void {
  if (value > 0n && value < market.minNetValueInObligationSf) {
    throw klendRejection('NetValueRemainingTooSmall', 'it would leave less than the least value');
  }
}

/** Older builds note which places are used; the current one leaves these bytes alone. */
export function withAssetTiers(obligation: Obligation, { rules }: LendingContext): Obligation {
  if (rules.assetTiers === 'untouched') return obligation;
  const used = [...obligation.deposits.map(isDeposit), ...obligation.borrows.map(isBorrow)];
  const paddingDeprecatedAssetTiers = Uint8Array.from(used, (isUsed) => (isUsed ? 0 : 255));
  return { ...obligation, paddingDeprecatedAssetTiers };
}
