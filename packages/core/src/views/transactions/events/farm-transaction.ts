import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { type Ratio, ratio } from '../../../base/numbers/decimal.ts';
import { mulRatio, ratioOfUnits, ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import { ONE_SF } from '../../../base/numbers/scaled-fraction.ts';
import type { FarmStateView } from '../../../protocol/farms/layout/farm-state.ts';
import type { FarmManagementInstruction } from '../../../protocol/farms/management.ts';
import { rewardAt } from '../../../protocol/farms/math/user-reward.ts';
import type { FarmPurpose } from '../../portfolio/farm-stakes.ts';
import { rewardIndexes } from '../../rewards/farm-rewards.ts';
import { isVaultShareFarm } from '../../vaults/vault-snapshot.ts';
import type { FarmEventKind } from './history-event.ts';

/** Events of users. */
export type FarmUserEventKind = Exclude<FarmEventKind, FarmManagementInstruction>;

/** The instruction names of the program by event kind, as the API returns them. */
export const farmEventInstructions: Readonly<Record<FarmUserEventKind, string>> = {
  stake: 'stake',
  unstake: 'unstake',
  withdrawUnstaked: 'withdrawUnstakedDeposits',
  harvest: 'harvestReward',
  setStake: 'setStakeDelegated',
  transferOwnership: 'transferOwnership',
};

/** The unit of an event's amount. */
export type FarmEventToken = {
  readonly mint: Address;
  readonly decimals: bigint;
  /** How its price is determined. */
  readonly pricing:
    | { readonly kind: 'token' }
    | { readonly kind: 'shares'; readonly vault: Address }
    | { readonly kind: 'collateral' | 'debt'; readonly reserve: Address };
};

/** Stakes are in smallest units times 10^18. */
const STAKE_SCALE_DECIMALS = 18n;

/** Undefined if neither the farm nor its purpose determines the token. */
export function resolveFarmEventToken(
  event: { readonly kind: FarmUserEventKind; readonly mint: Address | null },
  farm: FarmStateView | undefined,
  purpose: FarmPurpose,
): FarmEventToken | undefined {
  if (event.kind === 'harvest') {
    if (farm === undefined || event.mint === null) return undefined;
    const tokens = rewardIndexes(farm).map((index) => rewardAt(farm, index).token);
    const token = tokens.find(({ mint }) => mint === event.mint);
    return token && { mint: token.mint, decimals: token.decimals, pricing: { kind: 'token' } };
  }
  const isOtherFarm =
    farm !== undefined && purpose.kind === 'vault' && !isVaultShareFarm(purpose.vault.fields, farm);
  return stakedToken(event.mint, farm, isOtherFarm ? { kind: 'token' } : purpose);
}

/** The token of an administrator's instruction: that of a reward, or the one that is staked. */
export function resolveManagementToken(
  { mint, rewardIndex }: { readonly mint: Address | null; readonly rewardIndex: number | null },
  farm: FarmStateView,
): { readonly mint: Address; readonly decimals: bigint } | undefined {
  const rewards = rewardIndexes(farm).map((index) => ({
    index,
    token: rewardAt(farm, index).token,
  }));
  const reward = rewards.find(({ index, token }) =>
    mint === null ? index === rewardIndex : token.mint === mint,
  );
  if (reward !== undefined) return reward.token;
  return mint !== null && farm.token.mint === mint ? farm.token : undefined;
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
      return { mint, decimals, pricing: { kind: 'shares', vault: address } };
    }
    case 'deposits':
    case 'debts': {
      const { address, fields } = purpose.reserve;
      const { mintPubkey, mintDecimals: decimals } = fields.liquidity;
      return purpose.kind === 'debts'
        ? { mint: mintPubkey, decimals, pricing: { kind: 'debt', reserve: address } }
        : {
            mint: fields.collateral.mintPubkey,
            decimals,
            pricing: { kind: 'collateral', reserve: address },
          };
    }
    case 'token': {
      const mint = moved ?? farm?.token.mint;
      if (farm === undefined || mint === undefined || mint === ZERO_ADDRESS) return undefined;
      return { mint, decimals: farm.token.decimals, pricing: { kind: 'token' } };
    }
  }
}

/** In whole units; zero if the event has no amount. */
export function farmEventAmount(
  { kind, amount }: { readonly kind: FarmUserEventKind; readonly amount: bigint | null },
  { decimals }: Pick<FarmEventToken, 'decimals'>,
): Ratio {
  if (amount === null) return ZERO_RATIO;
  return ratioOfUnits(amount, kind === 'unstake' ? decimals + STAKE_SCALE_DECIMALS : decimals);
}

/** Stored values of a reserve. `Sf` values are times 2^60. */
export type CollateralSample = {
  readonly available: bigint;
  readonly borrowedSf: bigint;
  readonly protocolFeesSf: bigint;
  readonly referrerFeesSf: bigint;
  readonly pendingReferrerFeesSf: bigint;
  readonly collateralSupply: bigint;
};

/** USD per whole cToken. `price`: of a whole token. */
export function collateralPrice(sample: CollateralSample, price: Ratio): Ratio {
  const { available, borrowedSf, protocolFeesSf, referrerFeesSf, pendingReferrerFeesSf } = sample;
  const feesSf = protocolFeesSf + referrerFeesSf + pendingReferrerFeesSf;
  const supplySf = available * ONE_SF + borrowedSf - feesSf;
  if (sample.collateralSupply === 0n || supplySf === 0n) return price;
  return mulRatio(price, ratio(supplySf, sample.collateralSupply * ONE_SF));
}
