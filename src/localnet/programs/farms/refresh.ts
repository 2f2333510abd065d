import { refreshFarm } from '../../../protocol/farms/instructions/refresh-farm.ts';
import { refreshUserState } from '../../../protocol/farms/instructions/refresh-user-state.ts';
import { refreshFarm as refresh } from '../../../protocol/farms/operations/refresh-farm.ts';
import { refreshUserState as refreshUser } from '../../../protocol/farms/operations/refresh-user-state.ts';
import { type Handler, handles } from '../anchor-program.ts';
import { refuseMore } from './constraints.ts';
import { readFarm, readPosition, writeFarm, writePosition } from './farm-accounts.ts';
import { logActivation, logIssuance, logUserRewards } from './farm-logs.ts';
import type { FarmsRules } from './farms-rules.ts';
import { momentOf } from './oracle.ts';

export const refreshFarmHandler: Handler = handles(
  refreshFarm,
  8_000,
  ({ accounts, remaining }, call) => {
    const before = readFarm(call, accounts.farmState);
    refuseMore(remaining);
    const moment = momentOf(call, before, accounts.scopePrices);
    const farm = refresh(before, moment);
    logIssuance(call, before, { farm, moment });
    writeFarm(call, accounts.farmState, farm);
  },
);

export const refreshUserStateHandler = (rules: FarmsRules): Handler =>
  handles(refreshUserState, 30_000, ({ accounts, remaining }, call) => {
    const before = readPosition(call, accounts);
    refuseMore(remaining);
    const moment = momentOf(call, before.farm, accounts.scopePrices);
    const after = refreshUser(before, moment);
    logIssuance(call, before.farm, { farm: after.farm, moment });
    logUserRewards(call, before, after);
    logActivation(call, before, after);
    writePosition(call, rules, { ...accounts, ...after });
  });
