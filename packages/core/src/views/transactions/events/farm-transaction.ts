import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { type Ratio, ratio } from '../../../base/numbers/decimal.ts';
import { mulRatio, ratioOfUnits, ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import { ONE_SF } from '../../../base/numbers/scaled-fraction.ts';
import type { FarmStateView } from '../../../protocol/farms/layout/farm-state.ts';
import { rewardAt } from '../../../protocol/farms/math/user-reward.ts';
import type { FarmPurpose } from '../../portfolio/farm-stakes.ts';
import { rewardIndexes } from '../../rewards/farm-rewards.ts';
import { isVaultShareFarm } from '../../vaults/vault-snapshot.ts';
import type { farmEventKinds } from './history-event.ts';

type FarmKind = (typeof farmEventKinds)[number];

/** What a caller knows each kind of event by: the program's own names. */
export const farmEventInstructions: Readonly<Record<FarmKind, string>> = {
  stake: 'stake',
  unstake: 'unstake',
  withdrawUnstaked: 'withdrawUnstakedDeposits',
  harvest: 'harvestReward',
  setStake: 'setStakeDelegated',
  transferOwnership: 'transferOwnership',
};

/** What the amount of an event is counted in. */
export type FarmEventToken = {
  readonly mint: Address;
  readonly decimals: bigint;
  /** By which its price is found. */
  readonly worth:
    | { readonly kind: 'token' }
    | { readonly kind: 'shares'; readonly vault: Address }
    | { readonly kind: 'collateral' | 'debt'; readonly reserve: Address };
};

/** As staking counts: smallest units times 10^18. */
const STAKE_SCALE_DECIMALS = 18n;

/** Undefined where neither the farm nor what it is for tells. */
export function resolveFarmEventToken(
  event: { readonly kind: FarmKind; readonly mint: Address | null },
  farm: FarmStateView | undefined,
  purpose: FarmPurpose,
): FarmEventToken | undefined {
  if (event.kind === 'harvest') {
    if (farm === undefined || event.mint === null) return undefined;
    const tokens = rewardIndexes(farm).map((index) => rewardAt(farm, index).token);
    const token = tokens.find(({ mint }) => mint === event.mint);
    return token && { mint: token.mint, decimals: token.decimals, worth: { kind: 'token' } };
  }
  const isForeign =
    farm !== undefined && purpose.kind === 'vault' && !isVaultShareFarm(purpose.vault.fields, farm);
  return stakedToken(event.mint, farm, isForeign ? { kind: 'token' } : purpose);
}

function stakedToken(
  moved: Address | null,
  farm: FarmStateView | undefined,
  purpose: FarmPurpose,
): FarmEventToken | undefined {
  switch (purpose.kind) {
    case 'vault': {
      const { address, fields } = purpose.vault;
      const { sharesMint: mint, sharesMintDecimals: decimals } = fields;
      return { mint, decimals, worth: { kind: 'shares', vault: address } };
    }
    case 'deposits':
    case 'debts': {
      const { address, fields } = purpose.reserve;
      const { mintPubkey, mintDecimals: decimals } = fields.liquidity;
      return purpose.kind === 'debts'
        ? { mint: mintPubkey, decimals, worth: { kind: 'debt', reserve: address } }
        : {
            mint: fields.collateral.mintPubkey,
            decimals,
            worth: { kind: 'collateral', reserve: address },
          };
    }
    case 'token': {
      const mint = moved ?? farm?.token.mint;
      if (farm === undefined || mint === undefined || mint === ZERO_ADDRESS) return undefined;
      return { mint, decimals: farm.token.decimals, worth: { kind: 'token' } };
    }
  }
}

/** Whole ones; zero where only accounts tell how much it was. */
export function farmEventAmount(
  { kind, amount }: { readonly kind: FarmKind; readonly amount: bigint | null },
  { decimals }: Pick<FarmEventToken, 'decimals'>,
): Ratio {
  if (amount === null) return ZERO_RATIO;
  return ratioOfUnits(amount, kind === 'unstake' ? decimals + STAKE_SCALE_DECIMALS : decimals);
}

/** What was kept of a reserve. `Sf`: times 2^60. */
export type CollateralSample = {
  readonly available: bigint;
  readonly borrowedSf: bigint;
  readonly protocolFeesSf: bigint;
  readonly referrerFeesSf: bigint;
  readonly pendingReferrerFeesSf: bigint;
  readonly collateralSupply: bigint;
  readonly priceSf: bigint;
};

/** USD for a whole cToken. */
export function sampleCollateralPrice(kept: CollateralSample): Ratio {
  const { available, borrowedSf, protocolFeesSf, referrerFeesSf, pendingReferrerFeesSf } = kept;
  const feesSf = protocolFeesSf + referrerFeesSf + pendingReferrerFeesSf;
  const supplySf = available * ONE_SF + borrowedSf - feesSf;
  const price = { numerator: kept.priceSf, denominator: ONE_SF };
  if (kept.collateralSupply === 0n || supplySf === 0n) return price;
  return mulRatio(price, ratio(supplySf, kept.collateralSupply * ONE_SF));
}
