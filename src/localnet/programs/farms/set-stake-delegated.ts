import type { Address } from '../../../base/address.ts';
import { setStakeDelegated } from '../../../protocol/farms/instructions/set-stake-delegated.ts';
import type { FarmState } from '../../../protocol/farms/layout/farm-state.ts';
import { farmNow } from '../../../protocol/farms/math/farm-moment.ts';
import { isDelegated } from '../../../protocol/farms/math/issuance.ts';
import { setStakeDelegated as setStake } from '../../../protocol/farms/operations/set-stake-delegated.ts';
import { type Handler, handles } from '../anchor-program.ts';
import { refuseMore, requires } from './constraints.ts';
import { readPosition, writePosition } from './farm-accounts.ts';
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
