import { addressToBytes, bytesFromText, findProgramAddress } from '@tidegate/core/base';
import {
  initializeGlobalConfig,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
} from '@tidegate/core/protocol/farms/instructions';
import { globalConfig } from '@tidegate/core/protocol/farms/layout';
import { updateGlobalConfig as update } from '@tidegate/core/protocol/farms/operations';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { readAccount, writeAccount, writeEncodedAccount } from '../../runtime/typed-accounts.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { rejectRemainingAccounts, requireConstraint } from './farm-constraints.ts';
import { requireZeroed } from './zeroed-account.ts';

const UNITS = 10_000;

export const farmGlobalSettingsHandlers: readonly InstructionHandler[] = [
  anchorHandler(initializeGlobalConfig, UNITS, ({ accounts, remaining }, call) => {
    const { globalConfig: address, globalAdmin, treasuryVaultsAuthority } = accounts;
    requireZeroed(call, globalConfig, { slot: 'globalConfig', address });
    const isSystem = accounts.systemProgram === SYSTEM_PROGRAM;
    requireConstraint(call, isSystem, ['InvalidProgramId', 'systemProgram']);
    const seeds = [bytesFromText('authority'), addressToBytes(address)];
    const authority = findProgramAddress(seeds, call.program);
    const isDerived = treasuryVaultsAuthority === authority.address;
    requireConstraint(call, isDerived, ['ConstraintSeeds', 'treasuryVaultsAuthority']);
    rejectRemainingAccounts(remaining);
    const { body } = globalConfig;
    const fields = {
      ...body.decode(new DataView(new ArrayBuffer(body.size)), 0),
      globalAdmin,
      pendingGlobalAdmin: globalAdmin,
      treasuryVaultsAuthority,
      treasuryVaultsAuthorityBump: BigInt(authority.bump),
    };
    writeEncodedAccount(call, { address, fields, data: globalConfig.encode(fields) });
  }),
  anchorHandler(updateGlobalConfig, UNITS, ({ accounts, args, remaining }, call) => {
    const { globalConfig: address, globalAdmin } = accounts;
    const config = readAccount(call, globalConfig, address);
    const isAdmin = config.globalAdmin === globalAdmin;
    requireConstraint(call, isAdmin, ['ConstraintHasOne', 'globalConfig']);
    rejectRemainingAccounts(remaining);
    const fields = update(config, args.mode, args.value);
    writeAccount(call, globalConfig, { address, fields });
  }),
  anchorHandler(updateGlobalConfigAdmin, UNITS, ({ accounts, remaining }, call) => {
    const { globalConfig: address, pendingGlobalAdmin } = accounts;
    const config = readAccount(call, globalConfig, address);
    const isPending = config.pendingGlobalAdmin === pendingGlobalAdmin;
    requireConstraint(call, isPending, ['ConstraintHasOne', 'globalConfig']);
    rejectRemainingAccounts(remaining);
    const fields = { ...config, globalAdmin: pendingGlobalAdmin };
    call.log(`Update global admin prev=${config.globalAdmin} new=${pendingGlobalAdmin}`);
    writeAccount(call, globalConfig, { address, fields });
  }),
];
