import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { mulRatio, ratioOfUnits } from '../../base/numbers/ratio.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import type { GlobalConfigView } from '../../protocol/farms/layout/global-config.ts';
import type { UserStateView } from '../../protocol/farms/layout/user-state.ts';
import { displayedStake } from '../../protocol/farms/math/stake-shares.ts';
import { pendingReward, rewardAt } from '../../protocol/farms/math/user-reward.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { VaultStateView } from '../../protocol/kvault/layout/vault-state.ts';
import type { Placed } from '../lending/market-snapshot.ts';
import {
  type FarmViewContext,
  resolveFarmContext,
  rewardIndexes,
  undefinedOnCodedError,
} from '../rewards/farm-rewards.ts';
import { isVaultShareFarm } from '../vaults/vault-snapshot.ts';

/** What a farm is for: deposits or debts of a reserve, shares of a vault, or a token of its own. */
export type FarmPurpose =
  | { readonly kind: 'deposits' | 'debts'; readonly reserve: Placed<ReserveView> }
  | { readonly kind: 'vault'; readonly vault: Placed<VaultStateView> }
  | { readonly kind: 'token' };

/** One stake of a wallet in one farm. */
export type FarmStake = {
  readonly address: Address;
  readonly user: UserStateView;
  readonly farm: Placed<FarmStateView>;
  readonly purpose: FarmPurpose;
  /** Whole units of what is staked: tokens, shares, cTokens. */
  readonly stake: Ratio;
};

/** A reward that waits to be claimed, in whole tokens, after the treasury's part. */
export type PendingReward = {
  readonly index: number;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** 0 shared by all stakes, 1 paid for each of them. */
  readonly type: number;
  readonly amount: Ratio;
};

export type FarmPurposeSource = {
  readonly reserves: Iterable<Placed<ReserveView>>;
  readonly vaults: Iterable<Placed<VaultStateView>>;
};

/** Purposes by farm. */
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
  { address, fields: user }: Placed<UserStateView>,
  farm: Placed<FarmStateView>,
  purposes: ReadonlyMap<Address, FarmPurpose>,
): FarmStake {
  const named = purposes.get(farm.address);
  const isForeign = named?.kind === 'vault' && !isVaultShareFarm(named.vault.fields, farm.fields);
  const purpose = named === undefined || isForeign ? TOKEN_FARM : named;
  const stake = displayedStake(farm.fields, user);
  const decimals = stakeDecimals(farm.fields, purpose);
  return { address, user, farm, purpose, stake: mulRatio(stake, ratioOfUnits(1n, decimals)) };
}

/** A cToken has the decimals of its token. A farm of a reserve does not name any. */
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

/** The mints that a stake stands for. */
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

/** Whether a stake has anything in it, or earned anything that is not claimed. */
export const isOpenFarmStake = ({ user }: Pick<FarmStake, 'user'>): boolean =>
  user.activeStakeScaled > 0n || [...user.rewardsIssuedUnclaimed].some((amount) => amount > 0n);

/** Undefined where the farm's rules are not all known, or its program would refuse to count now. */
export function viewPendingRewards(
  { farm, user }: Pick<FarmStake, 'farm' | 'user'>,
  config: GlobalConfigView | undefined,
  terms: FarmViewContext,
): readonly PendingReward[] | undefined {
  const moment = resolveFarmContext(farm.fields, terms);
  if (config === undefined || moment === undefined) return undefined;
  const { treasuryFeeBps } = config;
  const position = { farm: farm.fields, user };
  return undefinedOnCodedError(() =>
    rewardIndexes(farm.fields).map((index) => {
      const { token, rewardType } = rewardAt(farm.fields, index);
      const payout = pendingReward(position, index, { moment, treasuryFeeBps });
      return {
        index,
        mint: token.mint,
        tokenProgram: token.tokenProgram,
        type: rewardType,
        amount: ratioOfUnits(payout.user, token.decimals),
      };
    }),
  );
}
