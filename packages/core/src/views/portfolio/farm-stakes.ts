import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { mulRatio, ratioOfUnits } from '../../base/numbers/ratio.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import type { GlobalConfigView } from '../../protocol/farms/layout/global-config.ts';
import type { UserStateView } from '../../protocol/farms/layout/user-state.ts';
import { stakedTokens } from '../../protocol/farms/math/stake-shares.ts';
import {
  type FarmPositionView,
  pendingReward,
  rewardAt,
} from '../../protocol/farms/math/user-reward.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { VaultStateView } from '../../protocol/kvault/layout/vault-state.ts';
import type { AddressedAccount } from '../lending/market-snapshot.ts';
import { computeFigure } from '../lending/unavailable-figures.ts';
import {
  type FarmViewContext,
  resolveFarmContext,
  rewardIndexes,
  undefinedOnCodedError,
} from '../rewards/farm-rewards.ts';
import { isVaultShareFarm } from '../vaults/vault-snapshot.ts';

/** The staked asset of a farm: deposits or debts of a reserve, shares of a vault, or a token. */
export type FarmPurpose =
  | { readonly kind: 'deposits' | 'debts'; readonly reserve: AddressedAccount<ReserveView> }
  | { readonly kind: 'vault'; readonly vault: AddressedAccount<VaultStateView> }
  | { readonly kind: 'token' };

/** A wallet's stake in a farm. */
export type FarmStake = {
  readonly address: Address;
  readonly user: UserStateView;
  readonly farm: AddressedAccount<FarmStateView>;
  readonly purpose: FarmPurpose;
  /** Whole units of the staked asset (tokens, shares or cTokens) that earn rewards. */
  readonly active: Ratio;
  /** With the units in the warmup or cooldown of the farm. */
  readonly total: Ratio;
};

/** An unclaimed reward in whole tokens, after the treasury fee. */
export type PendingReward = {
  readonly index: number;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** 0: proportional to the stake. 1: constant per stake. */
  readonly type: number;
  readonly amount: Ratio;
};

export type FarmPurposeSource = {
  readonly reserves: Iterable<AddressedAccount<ReserveView>>;
  readonly vaults: Iterable<AddressedAccount<VaultStateView>>;
};

/** Purposes by farm address. */
export function farmPurposes({
  reserves,
  vaults,
}: FarmPurposeSource): ReadonlyMap<Address, FarmPurpose> {
  const purposes = new Map<Address, FarmPurpose>();
  for (const vault of vaults) purposes.set(vault.fields.vaultFarm, { kind: 'vault', vault });
  for (const reserve of reserves) {
    purposes.set(reserve.fields.farmCollateral, { kind: 'deposits', reserve });
    purposes.set(reserve.fields.farmDebt, { kind: 'debts', reserve });
  }
  purposes.delete(ZERO_ADDRESS);
  return purposes;
}

const TOKEN_FARM: FarmPurpose = { kind: 'token' };

export function viewFarmStake(
  { address, fields: user }: AddressedAccount<UserStateView>,
  farm: AddressedAccount<FarmStateView>,
  purposes: ReadonlyMap<Address, FarmPurpose>,
): FarmStake {
  const known = purposes.get(farm.address);
  const isOtherFarm = known?.kind === 'vault' && !isVaultShareFarm(known.vault.fields, farm.fields);
  const purpose = known === undefined || isOtherFarm ? TOKEN_FARM : known;
  const tokens = computeFigure(address, () => stakedTokens({ farm: farm.fields, user }));
  const unit = ratioOfUnits(1n, stakeDecimals(farm.fields, purpose));
  const active = mulRatio(tokens.active, unit);
  return { address, user, farm, purpose, active, total: mulRatio(tokens.total, unit) };
}

/** A cToken has the decimals of its token; a reserve's farm does not specify decimals. */
function stakeDecimals({ token }: FarmStateView, purpose: FarmPurpose): bigint {
  switch (purpose.kind) {
    case 'deposits':
    case 'debts':
      return purpose.reserve.fields.liquidity.mintDecimals;
    case 'vault':
      return purpose.vault.fields.sharesMintDecimals;
    case 'token':
      return token.decimals;
  }
}

/** The mints of the underlying tokens. */
export function stakedMints({ farm, purpose }: FarmStake): readonly Address[] {
  switch (purpose.kind) {
    case 'deposits':
    case 'debts':
      return [purpose.reserve.fields.liquidity.mintPubkey];
    case 'vault':
      return [purpose.vault.fields.tokenMint];
    case 'token':
      return [farm.fields.token.mint];
  }
}

/** Whether the stake has units, also in warmup or cooldown, or unclaimed rewards. */
export const isOpenFarmStake = ({ user }: Pick<FarmStake, 'user'>): boolean =>
  user.activeStakeScaled > 0n ||
  user.pendingDepositStakeScaled > 0n ||
  user.pendingWithdrawalUnstakeScaled > 0n ||
  [...user.rewardsIssuedUnclaimed].some((amount) => amount > 0n);

/** The rewards that can be computed. */
export type PendingRewards = {
  readonly rewards: readonly PendingReward[];
  /** Whether these are all rewards of the farm. */
  readonly isComplete: boolean;
};

/** Undefined if a rule of the farm is unknown, or its program would fail for every reward now. */
export function viewPendingRewards(
  { farm, user }: Pick<FarmStake, 'farm' | 'user'>,
  config: GlobalConfigView | undefined,
  context: FarmViewContext,
): PendingRewards | undefined {
  const farmContext = resolveFarmContext(farm.fields, context);
  if (config === undefined || farmContext === undefined) return undefined;
  const position = { farm: farm.fields, user };
  const input = { context: farmContext, treasuryFeeBps: config.treasuryFeeBps };
  const indexes = rewardIndexes(farm.fields);
  const rewards = indexes.flatMap(
    (index) => undefinedOnCodedError(() => rewardOf(position, index, input)) ?? [],
  );
  if (rewards.length === 0 && indexes.length > 0) return undefined;
  return { rewards, isComplete: rewards.length === indexes.length };
}

function rewardOf(
  position: FarmPositionView,
  index: number,
  input: Parameters<typeof pendingReward>[2],
): PendingReward {
  const { token, rewardType } = rewardAt(position.farm, index);
  const payout = pendingReward(position, index, input);
  return {
    index,
    mint: token.mint,
    tokenProgram: token.tokenProgram,
    type: rewardType,
    amount: ratioOfUnits(payout.user, token.decimals),
  };
}
