import { kvaultError, type VaultRules } from '@tidegate/core/protocol/kvault';
import type { Program } from '../../runtime/program.ts';
import { createAnchorProgram } from '../framework/anchor-program.ts';
import { withEvents } from '../framework/emit-event.ts';
import { vaultDepositHandlers } from './deposit.ts';
import { vaultGlobalSettingsHandlers } from './global-settings.ts';
import { initVaultHandler } from './init-vault.ts';
import { investHandlers } from './invest.ts';
import { pendingFeesHandlers } from './pending-fees.ts';
import { redeemInKindHandler } from './redeem-in-kind.ts';
import { updateReserveAllocationHandlers } from './update-reserve-allocation.ts';
import { vaultRewardsHandlers } from './vault-rewards.ts';
import { vaultSettingsHandlers } from './vault-settings.ts';
import { vaultWithdrawHandlers } from './withdraw.ts';

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
