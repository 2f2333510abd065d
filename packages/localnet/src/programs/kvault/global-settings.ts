import type { Address } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { globalConfigAddress, reserveWhitelistEntryAddress } from '@tidegate/core/protocol/kvault';
import {
  addUpdateWhitelistedReserve,
  reserveWhitelistModes,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
} from '@tidegate/core/protocol/kvault/instructions';
import {
  type GlobalConfig,
  globalConfig,
  type ReserveWhitelistEntry,
  reserveWhitelistEntry,
} from '@tidegate/core/protocol/kvault/layout';
import {
  decodeGlobalConfigUpdate,
  updateGlobalConfig as update,
  updateWhitelistEntry,
} from '@tidegate/core/protocol/kvault/operations';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { writeAccount, writeEncodedAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { createPdaAccount } from '../framework/create-pda-account.ts';
import { accountChecks, loadAccount } from './account-checks.ts';

const UNITS = 10_000;

export const vaultGlobalSettingsHandlers: readonly InstructionHandler[] = [
  anchorHandler(updateGlobalConfig, UNITS, ({ accounts, args, list }, call) => {
    const changed = decodeGlobalConfigUpdate(args.mode, Uint8Array.from(list));
    if (changed === undefined) throw anchorFailure(call, 'InstructionDidNotDeserialize');
    const isAdmin = ({ globalAdmin }: GlobalConfig) => globalAdmin === accounts.globalAdmin;
    const config = loadConfig(call, accounts, isAdmin);
    call.log(`Updating global config with mode ${changed.mode}(${changed.value})`);
    const fields = update(config, changed);
    writeAccount(call, globalConfig, { address: accounts.globalConfig, fields });
  }),
  anchorHandler(updateGlobalConfigAdmin, UNITS, ({ accounts }, call) => {
    const isPending = ({ pendingAdmin }: GlobalConfig) => pendingAdmin === accounts.pendingAdmin;
    const config = loadConfig(call, accounts, isPending);
    const fields = { ...config, globalAdmin: config.pendingAdmin };
    writeAccount(call, globalConfig, { address: accounts.globalConfig, fields });
  }),
  anchorHandler(addUpdateWhitelistedReserve, UNITS, whitelistReserve),
];

type ConfigAccounts = { readonly globalConfig: Address };

/** `isLinked`: whether the config refers to the signer. */
function loadConfig(
  call: InvokeContext,
  accounts: ConfigAccounts,
  isLinked: (config: GlobalConfig) => boolean,
): GlobalConfig {
  const check = accountChecks(call, accounts);
  const config = check.load('globalConfig', globalConfig, call.program);
  check.seeds('globalConfig', globalConfigAddress(call.program));
  check.require(isLinked(config), 'ConstraintHasOne', 'globalConfig');
  return config;
}

type WhitelistCall = ReturnType<typeof addUpdateWhitelistedReserve.decode>;

function whitelistReserve({ accounts, args }: WhitelistCall, call: InvokeContext): void {
  const mode = reserveWhitelistModes[args.mode];
  if (mode === undefined) throw anchorFailure(call, 'InstructionDidNotDeserialize');
  const check = accountChecks(call, accounts);
  const { globalAdmin: admin, reserve, reserveWhitelistEntry: address } = accounts;
  loadConfig(call, accounts, ({ globalAdmin }) => globalAdmin === admin);
  const { liquidity } = check.load('reserve', reserveLayout, KLEND_PROGRAM);
  check.program('systemProgram', SYSTEM_PROGRAM);
  check.seeds('reserveWhitelistEntry', reserveWhitelistEntryAddress(reserve, call.program));
  const entry = loadOrCreateEntry(call, accounts);
  const { mintPubkey: tokenMint } = liquidity;
  const fields = updateWhitelistEntry(entry, { reserve, tokenMint, mode, value: args.value });
  const data = reserveWhitelistEntry.encode(fields);
  writeEncodedAccount(call, { address, fields, data });
  call.log(`Updated whitelisted reserve ${reserve} with token mint ${tokenMint}`);
}

function loadOrCreateEntry(
  call: InvokeContext,
  { reserveWhitelistEntry: address, globalAdmin: payer }: WhitelistCall['accounts'],
): ReserveWhitelistEntry {
  if (call.account(address).owner !== SYSTEM_PROGRAM) {
    return loadAccount(call, reserveWhitelistEntry, { address, owner: call.program });
  }
  createPdaAccount(call, { address, payer, size: reserveWhitelistEntry.size });
  const { body } = reserveWhitelistEntry;
  return body.decode(new DataView(new ArrayBuffer(body.size)), 0);
}
