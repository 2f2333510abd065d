import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { mulRatio, ratioOfUnits, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import type { Sf } from '../../base/numbers/scaled-fraction.ts';
import { actualYield, theoreticalYield } from '../../protocol/kvault/math/yield.ts';
import { WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
import { type FarmReward, totalApr, viewFarmRewards } from '../rewards/farm-rewards.ts';
import { reservesIncentivesApr, sfToWholeTokens } from '../vaults/vault-metrics.ts';
import {
  isVaultShareFarm,
  supplyAprs,
  type VaultSnapshot,
  type VaultViewContext,
} from '../vaults/vault-snapshot.ts';

/** The derived values of a vault sample. Rates are simple yearly rates without rewards. */
export type VaultSample = {
  readonly theoreticalApr: Ratio;
  readonly actualApr: Ratio;
  readonly farmRewardsApr: Ratio;
  readonly reservesIncentivesApr: Ratio;
  /** Whole tokens. */
  readonly interestPerSecond: Ratio;
  /** USD per whole unit; undefined without an oracle price. */
  readonly tokenPrice: Ratio | undefined;
  readonly solPrice: Ratio | undefined;
  /** Rewards of the vault's farm. */
  readonly farmRewards: readonly FarmReward[];
  readonly allocations: readonly AllocationSample[];
};

type AllocationSample = {
  readonly reserve: Address;
  readonly invested: Sf;
  readonly supplyApr: Ratio;
  readonly rewardsApr: Ratio;
};

const SECONDS_PER_YEAR = 31_536_000n;

export function viewVaultSample(vault: VaultSnapshot, context: VaultViewContext): VaultSample {
  const { fields, holdings, reserves, tokensPerShare, tokenPrice } = vault;
  const aprs = supplyAprs(vault);
  const actualApr = actualYield(fields, holdings, aprs).netApr;
  const sharePrice = mulRatio(tokensPerShare, tokenPrice ?? ZERO_RATIO);
  const farmRewards = vaultFarmRewards(vault, context, sharePrice);
  const earned = mulRatio(
    sfToWholeTokens(vault.totalHoldings, fields.tokenMintDecimals),
    actualApr,
  );
  return {
    theoreticalApr: theoreticalYield(fields, aprs).netApr,
    actualApr,
    farmRewardsApr: totalApr(farmRewards),
    reservesIncentivesApr: reservesIncentivesApr(vault),
    interestPerSecond: { ...earned, denominator: earned.denominator * SECONDS_PER_YEAR },
    tokenPrice,
    solPrice: context.tokens(WRAPPED_SOL_MINT)?.price,
    farmRewards,
    allocations: holdings.invested.map(({ reserve, liquidity }) => ({
      reserve,
      invested: liquidity,
      supplyApr: reserves.get(reserve)?.rates.supplyApr ?? ZERO_RATIO,
      rewardsApr: reserves.get(reserve)?.rewardsApr ?? ZERO_RATIO,
    })),
  };
}

function vaultFarmRewards(
  { fields }: VaultSnapshot,
  context: VaultViewContext,
  sharePrice: Ratio,
): readonly FarmReward[] {
  const farm = context.farm(fields.vaultFarm);
  if (farm === undefined || !isVaultShareFarm(fields, farm.fields)) return [];
  const unitPrice = mulRatio(sharePrice, ratioOfUnits(1n, fields.sharesMintDecimals));
  return viewFarmRewards(farm.fields, unitPrice, context);
}
