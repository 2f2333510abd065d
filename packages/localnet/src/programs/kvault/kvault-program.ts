import { kvaultError, type VaultRules } from '@tidegate/core/protocol/kvault';
import type { Program } from '../../runtime/program.ts';
import { createAnchorProgram } from '../framework/anchor-program.ts';
import { withEvents } from '../framework/emit-event.ts';
import { vaultDepositHandlers } from './deposit.ts';
import { pendingFeesHandlers, vaultRewardsHandlers } from './fees-and-rewards.ts';
import { investHandlers, updateReserveAllocationHandlers } from './invest.ts';
import {
  initVaultHandler,
  vaultGlobalSettingsHandlers,
  vaultSettingsHandlers,
} from './settings.ts';
import { redeemInKindHandler, vaultWithdrawHandlers } from './withdraw.ts';

/** Vaults: users deposit a token for shares, and `invest` lends it to the vault's reserves. */
export function createKvaultProgram(rules: VaultRules): Program {
  // The compute units are estimates: no recording has them.
  const instructions = createAnchorProgram({
    handlers: [
      ...vaultDepositHandlers(rules),
      ...vaultWithdrawHandlers(rules),
      redeemInKindHandler(rules),
      ...investHandlers(rules),
      ...pendingFeesHandlers(rules),
      ...updateReserveAllocationHandlers(rules),
      initVaultHandler(rules),
      ...vaultSettingsHandlers(rules),
      ...vaultRewardsHandlers,
      ...vaultGlobalSettingsHandlers,
    ],
    errorOf: kvaultError,
  });
  return withEvents(instructions);
}
