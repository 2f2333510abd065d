import type { Address } from '@tidegate/core/base';
import { setStakeDelegated } from '@tidegate/core/protocol/farms/instructions';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { farmNow, isDelegated } from '@tidegate/core/protocol/farms/math';
import { setStakeDelegated as setStake } from '@tidegate/core/protocol/farms/operations';
import { type Handler, handles } from '../framework/anchor-program.ts';
import { readPosition, writePosition } from './farm-accounts.ts';
import { refuseMore, requires } from './farm-constraints.ts';
import { logIssuance, logOperation, logUserRewards } from './farm-logs.ts';
import type { FarmsRules } from './farms-rules.ts';

/** Lending tells the farm of a reserve what an obligation has. */
export const setStakeDelegatedHandler = (rules: FarmsRules): Handler =>
  handles(setStakeDelegated, 14_500, ({ accounts, args, remaining }, call) => {
    const before = readPosition(call, accounts);
    refuseMore(remaining);
    requires(isDelegated(before.farm), 'FarmNotDelegated', 'its stakes are set by staking tokens');
    checkDelegate(before.farm, accounts.delegateAuthority);
    const moment = { at: call.time };
    const change = `prev:${before.user.activeStakeScaled} -> new:${args.newAmount}`;
    call.log(`SetStakeDelegated: ${change} ts:${farmNow(before.farm, call.time)}`);
    const after = setStake(before, args.newAmount, moment);
    if (after === before) {
      logOperation(call, 'set_stake nothing to do');
      return;
    }
    logIssuance(call, before.farm, { farm: after.farm, moment });
    logUserRewards(call, before, after);
    writePosition(call, rules, { ...accounts, ...after });
  });

/** A farm has up to two programs that may set its stakes. */
export function checkDelegate(farm: FarmState, authority: Address): void {
  const isDelegate =
    authority === farm.delegateAuthority || authority === farm.secondDelegatedAuthority;
  const reason = `${authority} is not the delegate authority of the farm`;
  requires(isDelegate, 'AuthorityFarmDelegateMissmatch', reason);
}
