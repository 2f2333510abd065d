import type { Address, ClusterAccount } from '@tidegate/core/base';
import { lendingMarket, reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { refreshReserve } from '@tidegate/core/protocol/klend/operations';
import type { ProgramRules } from '@tidegate/core/protocol/releases';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { readScopePrices } from '@tidegate/core/views/lending';
import { CodedError } from '../errors/index.ts';
import type { ObservedSlot, SeenAccounts } from './observed-slot.ts';

/** The accounts before the slot, with these reserves as keepers refresh them. */
export function withKeeperRefresh(
  slot: ObservedSlot,
  reserves: readonly Address[],
  rules: ProgramRules,
): SeenAccounts {
  const before = new Map(slot.before);
  for (const address of reserves) {
    const refreshed = refresh(address, slot, rules);
    if (refreshed !== undefined) before.set(address, refreshed);
  }
  return before;
}

/** As keepers do it: with the prices of the slot. */
function refresh(
  address: Address,
  { before, after, time }: ObservedSlot,
  rules: ProgramRules,
): ClusterAccount | undefined {
  const account = before.get(address);
  if (account === undefined || !reserveLayout.matches(account)) return undefined;
  const reserve = reserveLayout.decode(account);
  const { tokenInfo } = reserve.config;
  const market = before.get(reserve.lendingMarket);
  const feed = after.get(tokenInfo.scopeConfiguration.priceFeed);
  if (market === undefined || feed === undefined || !oraclePrices.matches(feed)) return undefined;
  const context = { market: lendingMarket.decode(market), time, rules: rules.lending };
  const oracle = readScopePrices(tokenInfo, oraclePrices.view(feed).prices, rules.lending);
  try {
    const refreshed = refreshReserve(reserve, context, oracle);
    return { ...account, data: reserveLayout.encode(refreshed) };
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}
