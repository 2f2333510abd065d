import { hasCode } from '@tidegate/core/base';
import {
  decodeFarmConfigValue,
  type FarmConfigEntry,
  farmConfigEntries,
} from '@tidegate/core/protocol/farms';
import {
  updateFarmAdmin,
  updateFarmConfig,
  updateSecondDelegatedAuthority,
} from '@tidegate/core/protocol/farms/instructions';
import { type FarmState, globalConfig } from '@tidegate/core/protocol/farms/layout';
import type { FarmContext } from '@tidegate/core/protocol/farms/math';
import {
  isFarmConfigAuthority,
  updateFarmConfig as update,
} from '@tidegate/core/protocol/farms/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { readFarm, writeFarm } from './farm-accounts.ts';
import { rejectRemainingAccounts, requireConstraint, requireFarmRule } from './farm-constraints.ts';
import { logOperation } from './farm-logs.ts';
import { readFarmContext } from './farm-oracle.ts';

const CONFIG_UNITS = 30_000;
const UNITS = 10_000;

export const farmSettingsHandlers: readonly InstructionHandler[] = [
  anchorHandler(updateFarmConfig, CONFIG_UNITS, changeSetting),
  anchorHandler(updateFarmAdmin, UNITS, ({ accounts, remaining }, call) => {
    const farm = readFarm(call, accounts.farmState);
    const { pendingFarmAdmin: farmAdmin } = farm;
    const isPending = farmAdmin === accounts.pendingFarmAdmin;
    requireConstraint(call, isPending, ['ConstraintHasOne', 'farmState']);
    rejectRemainingAccounts(remaining);
    call.log(`Update farm admin prev=${farm.farmAdmin} new=${farmAdmin}`);
    writeFarm(call, accounts.farmState, { ...farm, farmAdmin });
  }),
  anchorHandler(updateSecondDelegatedAuthority, UNITS, ({ accounts, remaining }, call) => {
    const farm = readFarm(call, accounts.farmState);
    const { globalAdmin } = readAccount(call, globalConfig, accounts.globalConfig);
    const isConfig = farm.globalConfig === accounts.globalConfig;
    requireConstraint(call, isConfig, ['ConstraintHasOne', 'farmState']);
    const isAdmin = globalAdmin === accounts.globalAdmin;
    requireConstraint(call, isAdmin, ['ConstraintHasOne', 'globalConfig']);
    rejectRemainingAccounts(remaining);
    const { newSecondDelegatedAuthority: secondDelegatedAuthority } = accounts;
    writeFarm(call, accounts.farmState, { ...farm, secondDelegatedAuthority });
  }),
];

type ConfigCall = ReturnType<typeof updateFarmConfig.decode>;

function changeSetting({ accounts, args, list, remaining }: ConfigCall, call: InvokeContext): void {
  const farm = readFarm(call, accounts.farmState);
  rejectRemainingAccounts(remaining);
  const context = contextIfReadable(call, farm, accounts);
  const entry = farmConfigEntries[args.mode];
  if (entry === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  checkAuthority(call, farm, { entry, accounts });
  logOperation(call, `update_farm_config mode=${entry.name} with data of len ${list.length}`);
  const value = decodeFarmConfigValue(entry, Uint8Array.from(list));
  if (value === undefined) {
    throw new ProgramFailure(isSliced(entry) ? 'ProgramFailedToComplete' : 'BorshIoError');
  }
  writeFarm(call, accounts.farmState, update(farm, { entry, value }, context));
}

/** The program takes the first bytes of these values and panics if there are too few. */
const isSliced = ({ type }: FarmConfigEntry): boolean =>
  ['leading u64', 'flag', 'reward type', 'rate decimals'].includes(type);

/** Without a valid price account the price is missing, which only matters for a reward of a farm with an oracle. */
function contextIfReadable(
  call: InvokeContext,
  farm: FarmState,
  { scopePrices }: ConfigCall['accounts'],
): FarmContext {
  try {
    return readFarmContext(call, farm, scopePrices);
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return { at: call.time };
    throw error;
  }
}

type Change = { readonly entry: FarmConfigEntry; readonly accounts: ConfigCall['accounts'] };

function checkAuthority(call: InvokeContext, farm: FarmState, { entry, accounts }: Change): void {
  if (isFarmConfigAuthority(farm, entry, accounts.signer)) return;
  const reason = `${accounts.signer} may not change ${entry.name}`;
  const isRate = entry.authority === 'farm admin or rate admin';
  requireFarmRule(!isRate, 'InvalidFarmConfigUpdateAuthority', reason);
  throw anchorFailure(call, 'RequireKeysEqViolated');
}
