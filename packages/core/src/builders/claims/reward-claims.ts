import { CodedError, hasCode } from '../../base/errors.ts';
import { formatUnits } from '../../base/numbers/decimal.ts';
import { countsSlots, farmNow } from '../../protocol/farms/math/farm-time.ts';
import {
  claimableFrom,
  type Payout,
  pendingReward,
} from '../../protocol/farms/math/user-reward.ts';
import { indexesOf } from '../../views/rewards/farm-rewards.ts';
import type { Scene } from '../build.ts';
import { type FarmStake, heldStake, momentOf } from '../farms/stake-context.ts';
import { orRefusal } from '../result-or-error.ts';
import { type ClaimPlace, rewardToken } from './claim-context.ts';

/** One reward that is claimed. */
export type Claim = {
  readonly stake: FarmStake;
  readonly index: number;
  readonly token: ReturnType<typeof rewardToken>;
  /** What it pays in the state's slot. */
  readonly payout: Payout;
};

export type Claims = { readonly claims: readonly Claim[]; readonly notes: readonly string[] };

/** What can be claimed now; the notes tell what has to wait. */
export function rewardClaims(place: ClaimPlace, scene: Scene): Claims {
  const found = place.stakes.flatMap((stake) =>
    indexesOf(stake.farm.fields).flatMap((index) => claimOf({ place, stake, index, scene }) ?? []),
  );
  return {
    claims: found.filter((each) => typeof each !== 'string'),
    notes: found.filter((each) => typeof each === 'string'),
  };
}

type Asked = {
  readonly place: ClaimPlace;
  readonly stake: FarmStake;
  readonly index: number;
  readonly scene: Scene;
};

/** Undefined where nothing was earned, words where it cannot be claimed now. */
function claimOf({ place, stake, index, scene }: Asked): Claim | string | undefined {
  const { farm, wallet, label } = stake;
  const user = heldStake(stake, scene);
  if (user === undefined || user.owner !== wallet) return undefined;
  const token = rewardToken(place, stake, index);
  const position = { farm: farm.fields, user };
  const moment = momentOf(stake, scene.state);
  const treasuryFeeBps = treasuryFee(stake, scene);
  const payout = orRefusal(() => pendingReward(position, index, { moment, treasuryFeeBps }));
  if (payout instanceof CodedError) {
    // numbers that do not fit are those of a stake that is newer than its farm is known
    const why = hasCode(payout, 'PROGRAM_REFUSES') ? payout.message : 'Ask again in a moment.';
    return `The ${token.symbol} for ${label} cannot be claimed now. ${why}`;
  }
  if (payout.total === 0n) return undefined;
  const wait = claimableFrom(position, index) - farmNow(farm.fields, scene.state.at());
  if (wait <= 0n) return { stake, index, token, payout };
  const unit = countsSlots(farm.fields) ? 'slots' : 'seconds';
  const amount = `${formatUnits(payout.user, token.decimals)} ${token.symbol}`;
  return `${amount} for ${label} can be claimed in ${wait} ${unit}.`;
}

/** With the treasury's part as far as it is known. */
export const treasuryFee = ({ farm }: FarmStake, { state }: Scene): bigint =>
  state.farmsConfig(farm.fields.globalConfig)?.treasuryFeeBps ?? 0n;
