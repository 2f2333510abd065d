import { type Address, floorSf, sfFromInt } from '@tidegate/core/base';
import { CURRENT_RULES } from '@tidegate/core/protocol/klend';
import {
  lendingMarket,
  type Obligation,
  obligation as obligationLayout,
  type Reserve,
  reserve as reserveLayout,
} from '@tidegate/core/protocol/klend/layout';
import { amountOfValue } from '@tidegate/core/protocol/klend/math';
import {
  isBorrow,
  isDeposit,
  type LendingContext,
  type ObligationPosition,
  refreshObligation,
  refreshReserve,
} from '@tidegate/core/protocol/klend/operations';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { chainPrice } from '@tidegate/core/protocol/scope/math';
import { decodeCached } from '../../runtime/typed-accounts.ts';
import type { Simulator } from '../setup/simulator.ts';

/** A loan as it would be once everything of it is refreshed in the next slot. */
export type LoanState = { readonly position: ObligationPosition; readonly terms: LendingContext };

export function refreshedReserve(player: Simulator, address: Address): Reserve | undefined {
  const account = player.bank.account(address);
  if (account === undefined || !reserveLayout.matches(account)) return undefined;
  const before = decodeCached(reserveLayout, account);
  const terms = termsOf(player, before.lendingMarket);
  if (terms === undefined) return undefined;
  const { priceFeed, priceChain } = before.config.tokenInfo.scopeConfiguration;
  const feed = player.bank.account(priceFeed);
  const price = feed && chainPrice(oraclePrices.view(feed).prices, priceChain);
  return refreshReserve(before, terms, { price, twap: undefined });
}

/** `more`: reserves beside those that the loan is in already. */
export function refreshedLoan(
  player: Simulator,
  address: Address,
  more: readonly Address[] = [],
): LoanState | undefined {
  const before = findObligation(player, address);
  const terms = before && termsOf(player, before.lendingMarket);
  if (before === undefined || terms === undefined) return undefined;
  const reserves = new Map<Address, Reserve>();
  for (const each of [...obligationReserves(before), ...more]) {
    const refreshed = refreshedReserve(player, each);
    if (refreshed !== undefined) reserves.set(each, refreshed);
  }
  const { obligation, reserves: after } = refreshObligation(
    { obligation: before, reserves },
    terms,
  );
  return { position: { obligation, reserves: after }, terms };
}

export function findObligation(player: Simulator, address: Address): Obligation | undefined {
  const account = player.bank.account(address);
  if (account === undefined || !obligationLayout.matches(account)) return undefined;
  return decodeCached(obligationLayout, account);
}

/** In the order of the positions, deposits first; a reserve that is both is named twice. */
export const obligationReserves = ({ deposits, borrows }: Obligation): Address[] => [
  ...deposits.filter(isDeposit).map(({ depositReserve }) => depositReserve),
  ...borrows.filter(isBorrow).map(({ borrowReserve }) => borrowReserve),
];

/** Lamports of a reserve's token for so many dollars. */
export function tokensForUsd(player: Simulator, reserve: Address, dollars: bigint): bigint {
  const now = refreshedReserve(player, reserve);
  return now === undefined ? 0n : floorSf(amountOfValue(now.liquidity, sfFromInt(dollars)));
}

function termsOf(player: Simulator, market: Address): LendingContext | undefined {
  const account = player.bank.account(market);
  if (account === undefined) return undefined;
  const fields = decodeCached(lendingMarket, account);
  return { market: fields, time: player.time, rules: CURRENT_RULES };
}
