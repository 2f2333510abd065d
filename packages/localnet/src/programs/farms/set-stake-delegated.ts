import type { Address } from '@tidegate/core/base';
import type { FarmsRules } from '@tidegate/core/protocol/farms';
import { setStakeDelegated } from '@tidegate/core/protocol/farms/instructions';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { farmTime, isDelegated } from '@tidegate/core/protocol/farms/math';
import { setStakeDelegated as setStake } from '@tidegate/core/protocol/farms/operations';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { readFarmPosition, writeFarmPosition } from './farm-accounts.ts';
import { rejectRemainingAccounts, requireFarmRule } from './farm-constraints.ts';
import { logIssuance, logOperation, logUserRewards } from './farm-logs.ts';

/** The lending program sets the stake of an obligation. */
export const setStakeDelegatedHandler = (rules: FarmsRules): InstructionHandler =>
  anchorHandler(setStakeDelegated, 14_500, ({ accounts, args, remaining }, call) => {
    const before = readFarmPosition(call, accounts);
    rejectRemainingAccounts(remaining);
    requireFarmRule(
      isDelegated(before.farm),
      'FarmNotDelegated',
      'its stakes are set by staking tokens',
    );
    checkDelegate(before.farm, accounts.delegateAuthority);
    const context = { at: call.time };
    const change = `prev:${before.user.activeStakeScaled} -> new:${args.newAmount}`;
    call.log(`SetStakeDelegated: ${change} ts:${farmTime(before.farm, call.time)}`);
    const after = setStake(before, args.newAmount, context);
    if (after === before) {
      logOperation(call, 'set_stake nothing to do');
      return;
    }
    logIssuance(call, before.farm, { farm: after.farm, context });
    logUserRewards(call, before, after);
    writeFarmPosition(call, rules, { ...accounts, ...after });
  });

/** A farm has up to two authorities that may set stakes. */
export function checkDelegate(farm: FarmState, authority: Address): void {
  const isDelegate =
    authority === farm.delegateAuthority || authority === farm.secondDelegatedAuthority;
  const reason = `${authority} is not the delegate authority of the farm`;
  requireFarmRule(isDelegate, 'AuthorityFarmDelegateMissmatch', reason);
}
