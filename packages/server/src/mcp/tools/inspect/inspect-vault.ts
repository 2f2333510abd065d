import { quoteName, untrustedName, untrustedSymbol } from '@tidegate/core/base';
import { percent, short, shortRatio, sum } from '../../answer/figures.ts';
import type { ApiReading } from '../../api/api-reading.ts';
import { AllocationsOfVault, VaultAccount, VaultFigures } from '../../api/api-schemas.ts';
import { tokenSymbols } from '../../api/catalogue.ts';
import { type Inspection, notFound } from './inspection.ts';

export async function inspectVault(address: string, reading: ApiReading): Promise<Inspection> {
  const vault = await reading.find(VaultAccount, `/kvaults/vaults/${address}`);
  if (vault === undefined) throw notFound('vault', address);
  const [figures, allocation, symbols] = await Promise.all([
    reading.get(VaultFigures, `/kvaults/vaults/${address}/metrics`),
    reading.get(AllocationsOfVault, `/kvaults/vaults/${address}/allocations`),
    tokenSymbols(reading),
  ]);
  const { state } = vault;
  const symbol = untrustedSymbol(symbols.get(state.tokenMint) ?? '') || 'unknown token';
  const tvl = shortRatio(sum([figures.tokensAvailableUsd, figures.tokensInvestedUsd]));
  return {
    lines: [
      `Vault ${quoteName(state.name)} at ${address} takes ${symbol}: holds ${tvl} USD of ${figures.numberOfHolders} holders.`,
      `It earns ${percent(figures.apyActual)} a year now after fees, and earned ${percent(figures.apy30d)} over 30 days. Rewards come on top: farm ${percent(figures.apyFarmRewards)}, reserves ${percent(figures.apyReservesIncentives)}, seasons ${percent(figures.apyIncentives)}.`,
      `One share is worth ${short(figures.tokensPerShare)} ${symbol}. ${short(figures.tokensAvailable)} ${symbol} are not lent and can be withdrawn at once; the rest is withdrawn from reserves as far as these have liquidity.`,
      `Fees: ${state.performanceFeeBps / 100} % of the earnings, ${state.managementFeeBps / 100} % of the assets a year.`,
      ...allocation.allocations.map(
        (each) =>
          `${short(each.actualPct)} % is lent in market ${quoteName(each.marketName)} (reserve ${each.reserve}) at ${percent(each.supplyApy)}.`,
      ),
    ],
    data: {
      vault: address,
      untrustedName: untrustedName(state.name),
      untrustedSymbol: symbol,
      tokenMint: state.tokenMint,
      sharesMint: state.sharesMint,
      tvlUsd: tvl,
      apy: short(figures.apy),
      apyActual: short(figures.apyActual),
      apy7d: short(figures.apy7d),
      apy30d: short(figures.apy30d),
      apyFarmRewards: short(figures.apyFarmRewards),
      apyReservesIncentives: short(figures.apyReservesIncentives),
      apyIncentives: short(figures.apyIncentives),
      tokensPerShare: figures.tokensPerShare,
      tokensNotLent: short(figures.tokensAvailable),
      performanceFeeBps: state.performanceFeeBps,
      managementFeeBps: state.managementFeeBps,
      allocations: allocation.allocations.map((each) => ({
        reserve: each.reserve,
        market: each.market,
        untrustedMarketName: untrustedName(each.marketName),
        actualPct: short(each.actualPct),
        targetWeightPct: each.targetWeightPct,
        suppliedTokens: short(each.suppliedTokenAmount),
        supplyApy: short(each.supplyApy),
        rewardsApy: short(each.rewardsApy),
      })),
    },
    next: ['Call explain with topic apy and this address for the parts of the yield.'],
  };
}
