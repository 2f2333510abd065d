import type { Address } from '../../base/encoding/address.ts';
import { farmsRejection } from '../../protocol/farms/errors.ts';
import type { FarmPosition } from '../../protocol/farms/operations/refresh.ts';
import { harvestReward } from '../../protocol/farms/operations/rewards.ts';
import type { BuildContext } from '../build.ts';
import { claimBuilder, planRewardClaims } from '../claims/claim-builder.ts';
import type { ClaimRequest } from '../claims/claim-request.ts';
import { type RewardClaim, treasuryFeeBpsOf } from '../claims/reward-claims.ts';
import { decodeFarm, farmContextOf, readStake, stakeAddress } from '../farms/stake-context.ts';
import { runSimulation } from './run-simulation.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';
import type { TokenDelta } from './wallet-changes.ts';

/** Simulates the payouts of the farms at the state's slot. */
export function simulateClaim(request: ClaimRequest, context: BuildContext): SimulationOutcome {
  const build = claimBuilder.build(request, context);
  const { claims } = planRewardClaims(request, context);
  const overflow = farmsRejection('IntegerOverflow', 'a number overflows');
  return runSimulation({ build, context, wrapped: 0n, overflow, subject: {} }, () =>
    runClaims(claims, context),
  );
}

/** One change per token. A stake is harvested once per reward. */
function runClaims(claims: readonly RewardClaim[], context: BuildContext): TokenDelta[] {
  const positions = new Map<Address, FarmPosition>();
  const moved = new Map<Address, TokenDelta>();
  for (const { stake, index, token } of claims) {
    const key = stakeAddress(stake);
    const user = readStake(stake, context);
    const position = positions.get(key) ?? (user && { farm: decodeFarm(stake), user });
    if (position === undefined) continue;
    const harvest = { rewardIndex: index, treasuryFeeBps: treasuryFeeBpsOf(stake, context) };
    const after = harvestReward(position, harvest, farmContextOf(stake, context.state));
    positions.set(key, { farm: after.farm, user: after.user });
    const added = (moved.get(token.mint)?.added ?? 0n) + after.payout.user;
    moved.set(token.mint, { token, added });
  }
  return [...moved.values()];
}
