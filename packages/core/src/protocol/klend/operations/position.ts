import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import type { ChainTime } from '../../../base/time.ts';
import { klendRefuses } from '../errors.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import type { LendingRules } from '../lending-rules.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';

/** What every operation is told beside its own request. */
export type Terms = {
  readonly market: LendingMarket;
  readonly time: ChainTime;
  readonly rules: LendingRules;
};

export type Reserves = ReadonlyMap<Address, Reserve>;

/** An obligation and, by address, every reserve that it uses or that is acted on. */
export type Position = { readonly obligation: Obligation; readonly reserves: Reserves };

export type Deposit = Obligation['deposits'][number];
export type Borrow = Obligation['borrows'][number];

export function reserveOf(reserves: Reserves, address: Address): Reserve {
  const reserve = reserves.get(address);
  if (reserve === undefined) {
    throw klendRefuses('InvalidAccountInput', `the reserve ${address} is missing`);
  }
  return reserve;
}

export const withReserve = (reserves: Reserves, address: Address, reserve: Reserve): Reserves =>
  new Map(reserves).set(address, reserve);

/** `config.status` of a reserve that is being wound up. */
export const OBSOLETE = 1;

export const isDeposit = (deposit: Deposit): boolean => deposit.depositReserve !== ZERO_ADDRESS;

export const isBorrow = (borrow: Borrow): boolean => borrow.borrowReserve !== ZERO_ADDRESS;

export const hasBorrows = (obligation: Obligation): boolean => obligation.borrows.some(isBorrow);

export const hasDeposits = (obligation: Obligation): boolean => obligation.deposits.some(isDeposit);

/** The place of a deposit; refused when there is none of that reserve. */
export function depositPlace(obligation: Obligation, reserve: Address): number {
  if (!hasDeposits(obligation)) {
    throw klendRefuses('ObligationDepositsEmpty', 'the obligation has no deposits');
  }
  const place = obligation.deposits.findIndex((deposit) => deposit.depositReserve === reserve);
  if (place === -1) {
    throw klendRefuses('InvalidObligationCollateral', `it has no deposit in ${reserve}`);
  }
  return place;
}

/** The place of a debt; refused when there is none of that reserve. */
export function borrowPlace(obligation: Obligation, reserve: Address): number {
  if (!hasBorrows(obligation)) {
    throw klendRefuses('ObligationBorrowsEmpty', 'the obligation has no debt');
  }
  const place = obligation.borrows.findIndex((borrow) => borrow.borrowReserve === reserve);
  if (place === -1) {
    throw klendRefuses('InvalidObligationLiquidity', `it has no debt in ${reserve}`);
  }
  return place;
}

/** The place of `reserve`, or the first free one; refused when all are taken. */
export function placeFor(
  items: readonly Address[],
  reserve: Address,
): { readonly place: number; readonly isNew: boolean } {
  const place = items.indexOf(reserve);
  if (place !== -1) return { place, isNew: false };
  const free = items.indexOf(ZERO_ADDRESS);
  if (free === -1) throw klendRefuses('ObligationReserveLimit', 'all its places are taken');
  return { place: free, isNew: true };
}

/** The element at a place that was found before. */
export function itemAt<Item>(items: readonly Item[], place: number): Item {
  const item = items[place];
  if (item === undefined) throw klendRefuses('InvalidAccountInput', `there is no place ${place}`);
  return item;
}

/** Marks an account as changed: it must be refreshed before its next use. */
export const stale = <T extends { readonly lastUpdate: Reserve['lastUpdate'] }>(account: T): T => ({
  ...account,
  lastUpdate: { ...account.lastUpdate, stale: 1 },
});

type Updated = { readonly lastUpdate: Reserve['lastUpdate'] };

/** Refused unless refreshed in this slot with these price checks passed. */
export function requireFresh(
  account: Updated,
  { time }: Pick<Terms, 'time'>,
  { what, checks }: { readonly what: 'Reserve' | 'Obligation'; readonly checks: number },
): void {
  const { slot, stale: isStale, priceStatus } = account.lastUpdate;
  if (isStale === 0 && slot === time.slot && (priceStatus & checks) === checks) return;
  const reason =
    isStale === 0 && slot === time.slot
      ? `its price checks are ${priceStatus & ALL_PRICE_CHECKS}, ${checks} are needed`
      : 'it was not refreshed in this slot';
  throw klendRefuses(`${what}Stale`, reason);
}

/** Refused while the market or the reserve is closed by its owners. */
export function requireOpen({ market }: Terms, reserve: Reserve): void {
  if (market.emergencyMode !== 0) {
    throw klendRefuses('GlobalEmergencyMode', 'the market is in emergency mode');
  }
  if (reserve.config.emergencyMode !== 0) {
    throw klendRefuses('ReserveEmergencyMode', 'the reserve is in emergency mode');
  }
}

export function requireAmount(amount: bigint): void {
  if (amount === 0n) throw klendRefuses('InvalidAmount', 'the amount is zero');
}

/** Refused when a position would be left with a value above zero and below the market's minimum. */
export function requireNetValue(value: Sf, { market }: Terms): void {
  if (value > 0n && value < market.minNetValueInObligationSf) {
    throw klendRefuses('NetValueRemainingTooSmall', 'it would leave less than the least value');
  }
}

/** Older builds note which places are used; the current one leaves these bytes alone. */
export function withAssetTiers(obligation: Obligation, { rules }: Terms): Obligation {
  if (rules.assetTiers === 'untouched') return obligation;
  const used = [...obligation.deposits.map(isDeposit), ...obligation.borrows.map(isBorrow)];
  const paddingDeprecatedAssetTiers = Uint8Array.from(used, (isUsed) => (isUsed ? 0 : 255));
  return { ...obligation, paddingDeprecatedAssetTiers };
}
