import { ratioOfSf } from '@tidegate/core/base';
import { marketName } from '@tidegate/core/views/lending';
import type { AllocatedAmount, VaultAllocationMetrics } from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { formatLiveRatio } from '../../../support/decimals/live-decimals.ts';
import type { VaultAllocationRow } from './schema.ts';

export function allocationJson(
  allocation: VaultAllocationMetrics,
  { registry }: Cluster,
): Static<typeof VaultAllocationRow> {
  const { reserve, cap, collateral } = allocation;
  const { market, snapshot, rates } = reserve;
  return {
    reserve: snapshot.address,
    market: market.address,
    marketName: registry.market(market.address)?.name ?? marketName(market.fields),
    tokenMint: snapshot.mint,
    symbol: snapshot.symbol,
    targetWeightPct: formatLiveRatio(allocation.targetWeightPct),
    actualPct: formatLiveRatio(allocation.pct),
    suppliedTokenAmount: formatLiveRatio(allocation.tokens),
    suppliedUsd: formatLiveRatio(allocation.usd),
    capTokenAmount: cap === undefined ? null : formatLiveRatio(cap),
    utilizationRatio: formatLiveRatio(ratioOfSf(rates.utilization)),
    supplyApy: formatLiveRatio(rates.supplyApy),
    rewardsApy: formatLiveRatio(reserve.rewardsApr),
    collateral: collateral.map(({ reserve: address, mint, symbol, liquidationLtvPct }) => ({
      reserve: address,
      tokenMint: mint,
      symbol,
      liquidationLtvPct: String(liquidationLtvPct),
    })),
  };
}

export function unallocatedJson({ tokens, usd, pct }: AllocatedAmount) {
  return {
    tokenAmount: formatLiveRatio(tokens),
    usd: formatLiveRatio(usd),
    pct: formatLiveRatio(pct),
  };
}
