import { type Address, floorSf, sfFromInt } from '@tidegate/core/base';
import {
  lendingMarket,
  type Obligation,
  obligation as obligationLayout,
  type Reserve,
  reserve as reserveLayout,
} from '@tidegate/core/protocol/klend/layout';
import { amountOfValue, depositCapacity } from '@tidegate/core/protocol/klend/math';
import {
  isBorrow,
  isDeposit,
  type LendingContext,
  type ObligationPosition,
  refreshObligation,
  refreshReserve,
} from '@tidegate/core/protocol/klend/operations';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { readScopePrices } from '@tidegate/core/views/lending';
import { decodeCached } from '../../runtime/typed-accounts.ts';
import type { Simulator } from '../setup/simulator.ts';

/** A loan as if all of it were refreshed in the next slot. */
export type LoanState = { readonly position: ObligationPosition; readonly context: LendingContext };

export function refreshedReserve(simulator: Simulator, address: Address): Reserve | undefined {
  const account = simulator.bank.account(address);
  if (account === undefined || !reserveLayout.matches(account)) return undefined;
  const before = decodeCached(reserveLayout, account);
  const context = lendingContextOf(simulator, before.lendingMarket);
  if (context === undefined) return undefined;
  const { tokenInfo } = before.config;
  const feed = simulator.bank.account(tokenInfo.scopeConfiguration.priceFeed);
  const oracle =
    feed === undefined
      ? { price: undefined, twap: undefined }
      : readScopePrices(tokenInfo, oraclePrices.view(feed).prices, context.rules);
  return refreshReserve(before, context, oracle);
}

/** `extraReserves`: reserves that the loan does not use yet. */
export const refreshedLoan = (
  simulator: Simulator,
  address: Address,
  extraReserves: readonly Address[] = [],
): LoanState | undefined =>
  refreshLoan(simulator, address, {
    extraReserves,
    reserveOf: (reserve) => refreshedReserve(simulator, reserve),
  });

type LoanReserves = {
  readonly extraReserves?: readonly Address[];
  /** Reads refreshed reserves, for a caller that has them already. */
  readonly reserveOf: (reserve: Address) => Reserve | undefined;
};

export function refreshLoan(
  simulator: Simulator,
  address: Address,
  { extraReserves = [], reserveOf }: LoanReserves,
): LoanState | undefined {
  const before = findObligation(simulator, address);
  const context = before && lendingContextOf(simulator, before.lendingMarket);
  if (before === undefined || context === undefined) return undefined;
  const reserves = new Map<Address, Reserve>();
  for (const reserve of [...obligationReserves(before), ...extraReserves]) {
    const refreshed = reserveOf(reserve);
    if (refreshed !== undefined) reserves.set(reserve, refreshed);
  }
  const { obligation, reserves: after } = refreshObligation(
    { obligation: before, reserves },
    context,
  );
  return { position: { obligation, reserves: after }, context };
}

export function findObligation(simulator: Simulator, address: Address): Obligation | undefined {
  const account = simulator.bank.account(address);
  if (account === undefined || !obligationLayout.matches(account)) return undefined;
  return decodeCached(obligationLayout, account);
}

/**
 * In the order of the positions, deposits first. A reserve with both a deposit and a borrow appears
 * twice.
 */
export const obligationReserves = ({ deposits, borrows }: Obligation): Address[] => [
  ...deposits.filter(isDeposit).map(({ depositReserve }) => depositReserve),
  ...borrows.filter(isBorrow).map(({ borrowReserve }) => borrowReserve),
];

/** Amount of a reserve's token worth the given USD value, in lamports. */
export function tokensForUsd(simulator: Simulator, reserve: Address, usd: bigint): bigint {
  const refreshed = refreshedReserve(simulator, reserve);
  return refreshed === undefined ? 0n : floorSf(amountOfValue(refreshed.liquidity, sfFromInt(usd)));
}

/** Lamports that can be deposited before the reserve reaches its limit. */
export function depositRoom(simulator: Simulator, reserve: Address): bigint {
  const refreshed = refreshedReserve(simulator, reserve);
  return refreshed === undefined ? 0n : depositCapacity(refreshed);
}

function lendingContextOf(simulator: Simulator, market: Address): LendingContext | undefined {
  const account = simulator.bank.account(market);
  if (account === undefined) return undefined;
  const fields = decodeCached(lendingMarket, account);
  return { market: fields, time: simulator.time, rules: simulator.rules.lending };
}
