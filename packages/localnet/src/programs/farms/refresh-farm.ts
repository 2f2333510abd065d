import { refreshFarm, refreshUserState } from '@tidegate/core/protocol/farms/instructions';
import {
  refreshFarm as refresh,
  refreshUserState as refreshUser,
} from '@tidegate/core/protocol/farms/operations';
import { type Handler, handles } from '../framework/anchor-program.ts';
import { readFarm, readPosition, writeFarm, writePosition } from './farm-accounts.ts';
import { refuseMore } from './farm-constraints.ts';
import { logActivation, logIssuance, logUserRewards } from './farm-logs.ts';
import { momentOf } from './farm-oracle.ts';
import type { FarmsRules } from './farms-rules.ts';

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
