import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { ctokenVault, globalConfigAddress } from '@tidegate/core/protocol/kvault';
import type { withdraw, withdrawFromAvailable } from '@tidegate/core/protocol/kvault/instructions';
import { globalConfig, vaultState } from '@tidegate/core/protocol/kvault/layout';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { requireEventAuthority } from '../framework/emit-event.ts';
import { accountChecks, TOKEN_PROGRAMS } from './account-checks.ts';
import { requireVaultAccounts } from './vault-checks.ts';

type FromAvailable = ReturnType<typeof withdrawFromAvailable.decode>['accounts'];
type FromReserve = ReturnType<typeof withdraw.decode>['accounts'];

/** Checks the accounts of all withdrawals. */
export function checkWithdrawAccounts(call: InvokeContext, accounts: FromAvailable): void {
  const check = accountChecks(call, accounts);
  const { user, tokenMint, tokenProgram, sharesMint, sharesTokenProgram } = accounts;
  const vault = check.load('vaultState', vaultState, call.program);
  check.load('globalConfig', globalConfig, call.program);
  check.token('tokenVault');
  check.token('userTokenAta');
  check.token('userSharesAta');
  check.mint('sharesMint');
  check.program('tokenProgram', ...TOKEN_PROGRAMS);
  check.program('sharesTokenProgram', TOKEN_PROGRAM);
  check.program('klendProgram', KLEND_PROGRAM);
  requireVaultAccounts(call, vault, accounts);
  check.seeds('globalConfig', globalConfigAddress(call.program));
  check.tokenTerms('tokenVault', { tokenProgram });
  check.tokenTerms('userTokenAta', { authority: user, mint: tokenMint, tokenProgram });
  check.tokenTerms('userSharesAta', {
    authority: user,
    mint: sharesMint,
    tokenProgram: sharesTokenProgram,
  });
  requireEventAuthority(call, accounts.eventAuthority);
}

/**
 * Checks the accounts of withdrawals from a reserve. The lending program checks the reserve's own
 * accounts.
 */
export function checkReserveWithdrawAccounts(call: InvokeContext, accounts: FromReserve): void {
  const check = accountChecks(call, accounts);
  const { reserveVaultState, reserve } = accounts;
  check.load('reserveVaultState', vaultState, call.program);
  check.load('reserve', reserveLayout, KLEND_PROGRAM);
  check.token('ctokenVault');
  check.token('reserveLiquiditySupply');
  check.program('reserveCollateralTokenProgram', TOKEN_PROGRAM);
  check.seeds('ctokenVault', ctokenVault(reserveVaultState, reserve, call.program));
  check.tokenTerms('ctokenVault', { tokenProgram: accounts.reserveCollateralTokenProgram });
  check.address('instructionSysvarAccount', INSTRUCTIONS_SYSVAR);
  requireEventAuthority(call, accounts.outerEventAuthority);
}
