import type { Address } from '../../base/encoding/address.ts';
import { farmsRefuses } from '../../protocol/farms/errors.ts';
import type { FarmPosition } from '../../protocol/farms/operations/farm-position.ts';
import { harvestReward } from '../../protocol/farms/operations/harvest-reward.ts';
import type { Scene } from '../build.ts';
import { claimRewards, planClaims } from '../claims/claim-builder.ts';
import type { ClaimRequest } from '../claims/claim-request.ts';
import { type Claim, treasuryFee } from '../claims/reward-claims.ts';
import { farmOf, heldStake, momentOf, stakeAddress } from '../farms/stake-context.ts';
import { forecastRun } from './run-simulation.ts';
import type { Forecast } from './simulation-outcome.ts';
import type { Moved } from './wallet-changes.ts';

/** What the farms would pay out at the state's slot. */
export function forecastClaim(request: ClaimRequest, scene: Scene): Forecast {
  const build = claimRewards.build(request, scene);
  const { claims } = planClaims(request, scene);
  const overflow = farmsRefuses('IntegerOverflow', 'a number does not fit');
  return forecastRun({ build, scene, wrapped: 0n, overflow }, () => run(claims, scene));
}

/** One move for each token. A stake is harvested once for each of its rewards. */
function run(claims: readonly Claim[], scene: Scene): Moved[] {
  const positions = new Map<Address, FarmPosition>();
  const moved = new Map<Address, Moved>();
  for (const { stake, index, token } of claims) {
    const key = stakeAddress(stake);
    const user = heldStake(stake, scene);
    const position = positions.get(key) ?? (user && { farm: farmOf(stake), user });
    if (position === undefined) continue;
    const harvest = { rewardIndex: index, treasuryFeeBps: treasuryFee(stake, scene) };
    const after = harvestReward(position, harvest, momentOf(stake, scene.state));
    positions.set(key, { farm: after.farm, user: after.user });
    const added = (moved.get(token.mint)?.added ?? 0n) + after.payout.user;
    moved.set(token.mint, { token, added });
  }
  return [...moved.values()];
}
