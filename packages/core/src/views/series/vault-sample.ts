import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { mulRatio, ratioOfUnits, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import type { Sf } from '../../base/numbers/scaled-fraction.ts';
import { actualYield, theoreticalYield } from '../../protocol/kvault/math/yield.ts';
import { type FarmReward, totalApr, viewFarmRewards } from '../rewards/farm-rewards.ts';
import {
  reservesIncentivesApr,
  sfToWholeTokens,
  WRAPPED_SOL_MINT,
} from '../vaults/vault-metrics.ts';
import {
  isVaultShareFarm,
  type VaultSnapshot,
  type VaultViewContext,
} from '../vaults/vault-snapshot.ts';

/** What is kept of a vault at a time beside its account's own figures. Rates are simple, yearly, rewards in none. */
export type VaultSample = {
  readonly theoreticalApr: Ratio;
  readonly actualApr: Ratio;
  readonly farmRewardsApr: Ratio;
  readonly reservesIncentivesApr: Ratio;
  /** Whole tokens. */
  readonly interestPerSecond: Ratio;
  /** USD for a whole one; undefined where no oracle has it. */
  readonly tokenPrice: Ratio | undefined;
  readonly solPrice: Ratio | undefined;
  /** Of the vault's own farm. */
  readonly farmRewards: readonly FarmReward[];
  readonly places: readonly PlaceSample[];
};

type PlaceSample = {
  readonly reserve: Address;
  readonly invested: Sf;
  readonly supplyApr: Ratio;
  readonly rewardsApr: Ratio;
};

const SECONDS_PER_YEAR = 31_536_000n;

export function viewVaultSample(vault: VaultSnapshot, terms: VaultViewContext): VaultSample {
  const { fields, holdings, reserves, tokensPerShare, tokenPrice } = vault;
  const aprs = new Map([...reserves].map(([key, { rates }]) => [key, rates.supplyApr]));
  const actualApr = actualYield(fields, holdings, aprs).netApr;
  const sharePrice = mulRatio(tokensPerShare, tokenPrice ?? ZERO_RATIO);
  const farmRewards = ownFarmRewards(vault, terms, sharePrice);
  const earned = mulRatio(sfToWholeTokens(vault.held, fields.tokenMintDecimals), actualApr);
  return {
    theoreticalApr: theoreticalYield(fields, aprs).netApr,
    actualApr,
    farmRewardsApr: totalApr(farmRewards),
    reservesIncentivesApr: reservesIncentivesApr(vault),
    interestPerSecond: { ...earned, denominator: earned.denominator * SECONDS_PER_YEAR },
    tokenPrice,
    solPrice: terms.tokens(WRAPPED_SOL_MINT)?.price,
    farmRewards,
    places: holdings.invested.map(({ reserve, liquidity }) => ({
      reserve,
      invested: liquidity,
      supplyApr: reserves.get(reserve)?.rates.supplyApr ?? ZERO_RATIO,
      rewardsApr: reserves.get(reserve)?.rewardsApr ?? ZERO_RATIO,
    })),
  };
}

function ownFarmRewards(
  { fields }: VaultSnapshot,
  terms: VaultViewContext,
  sharePrice: Ratio,
): readonly FarmReward[] {
  const farm = terms.farm(fields.vaultFarm);
  if (farm === undefined || !isVaultShareFarm(fields, farm.fields)) return [];
  const unitPrice = mulRatio(sharePrice, ratioOfUnits(1n, fields.sharesMintDecimals));
  return viewFarmRewards(farm.fields, { ...terms, unitPrice });
}
