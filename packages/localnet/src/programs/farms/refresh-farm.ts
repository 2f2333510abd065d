import type { FarmsRules } from '@tidegate/core/protocol/farms';
import { refreshFarm, refreshUserState } from '@tidegate/core/protocol/farms/instructions';
import {
  refreshFarm as refresh,
  refreshUserState as refreshUser,
} from '@tidegate/core/protocol/farms/operations';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { readFarm, readFarmPosition, writeFarm, writeFarmPosition } from './farm-accounts.ts';
import { rejectRemainingAccounts } from './farm-constraints.ts';
import { logActivation, logIssuance, logUserRewards } from './farm-logs.ts';
import { readFarmContext } from './farm-oracle.ts';

export const refreshFarmHandler: InstructionHandler = anchorHandler(
  refreshFarm,
  8_000,
  ({ accounts, remaining }, call) => {
    const before = readFarm(call, accounts.farmState);
    rejectRemainingAccounts(remaining);
    const context = readFarmContext(call, before, accounts.scopePrices);
    const farm = refresh(before, context);
    logIssuance(call, before, { farm, context });
    writeFarm(call, accounts.farmState, farm);
  },
);

export const refreshUserStateHandler = (rules: FarmsRules): InstructionHandler =>
  anchorHandler(refreshUserState, 30_000, ({ accounts, remaining }, call) => {
    const before = readFarmPosition(call, accounts);
    rejectRemainingAccounts(remaining);
    const context = readFarmContext(call, before.farm, accounts.scopePrices);
    const after = refreshUser(before, context);
    logIssuance(call, before.farm, { farm: after.farm, context });
    logUserRewards(call, before, after);
    logActivation(call, before, after);
    writeFarmPosition(call, rules, { ...accounts, ...after });
  });
