import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { ctokenVault } from '@tidegate/core/protocol/kvault';
import {
  giveUpPendingFees,
  withdrawPendingFees,
} from '@tidegate/core/protocol/kvault/instructions';
import { type VaultState, vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  giveUpPendingFees as giveUp,
  type PendingFeesEffects,
  withdrawPendingFees as payFees,
} from '@tidegate/core/protocol/kvault/operations';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Call } from '../../runtime/program.ts';
import { writeFields } from '../../runtime/typed-accounts.ts';
import { type Handler, handles } from '../framework/anchor-program.ts';
import { accountChecks, amountOf, TOKEN_PROGRAMS } from './account-checks.ts';
import { redeemFromReserve } from './klend-cpi.ts';
import { checkPayout, checkReleased, payoutBalances } from './payout-checks.ts';
import { sendFromVault } from './token-cpi.ts';
import { requireLinks } from './vault-checks.ts';
import { refreshReserves, vaultMoment } from './vault-reserves.ts';

const UNITS = 60_000;

export const pendingFeesHandlers: readonly Handler[] = [
  handles(withdrawPendingFees, UNITS, withdrawFees),
  handles(giveUpPendingFees, UNITS, giveUpFees),
];

type WithdrawCall = ReturnType<typeof withdrawPendingFees.decode>;

function withdrawFees({ accounts, remaining }: WithdrawCall, call: Call): void {
  const vault = checkAccounts(call, accounts);
  refreshReserves(call, { vault, remaining });
  const moment = vaultMoment(call, { vault, remaining });
  const effects = payFees(vault, moment, accounts.reserve);
  logEffects(call, effects);
  writeFields(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  const places = { ...accounts, receiver: accounts.tokenAta };
  const before = payoutBalances(call, places);
  const { investedToDisinvestCtokens: ctokens } = effects;
  if (ctokens > 0n) redeemFromReserve(call, accounts, ctokens);
  checkReleased(amountOf(call, accounts.tokenVault) - before.tokens, effects);
  sendFromVault(call, accounts.vaultState, {
    tokenProgram: accounts.tokenProgram,
    source: accounts.tokenVault,
    mint: accounts.tokenMint,
    destination: accounts.tokenAta,
    authority: accounts.baseVaultAuthority,
    amount: effects.availableToSendToUser + effects.investedLiquidityToSendToUser,
    decimals: Number(vault.tokenMintDecimals),
  });
  const after = payoutBalances(call, places);
  checkPayout(effects, [before, after], 'TooMuchLiquidityToWithdraw');
}

function logEffects(call: Call, effects: PendingFeesEffects): void {
  const { availableToSendToUser, investedToDisinvestCtokens } = effects;
  const { investedLiquidityToSendToUser, investedLiquidityToDisinvest } = effects;
  call.log(
    `WithdrawPendingFeesEffects: available_to_send_to_user=${availableToSendToUser}, invested_to_disinvest_ctokens=${investedToDisinvestCtokens}, invested_liquidity_to_send_to_user=${investedLiquidityToSendToUser}, invested_liquidity_to_disinvest=${investedLiquidityToDisinvest}`,
  );
}

function checkAccounts(call: Call, accounts: WithdrawCall['accounts']): VaultState {
  const check = accountChecks(call, accounts);
  const { tokenProgram, tokenMint, vaultAdminAuthority, reserve } = accounts;
  const vault = check.load('vaultState', vaultState, call.program);
  check.load('reserve', reserveLayout, KLEND_PROGRAM);
  check.token('tokenVault');
  check.token('ctokenVault');
  check.token('tokenAta');
  check.token('reserveLiquiditySupply');
  check.program('klendProgram', KLEND_PROGRAM);
  check.program('tokenProgram', ...TOKEN_PROGRAMS);
  check.program('reserveCollateralTokenProgram', TOKEN_PROGRAM);
  requireLinks(call, vault, accounts);
  check.tokenTerms('tokenVault', { tokenProgram });
  check.seeds('ctokenVault', ctokenVault(accounts.vaultState, reserve, call.program));
  check.tokenTerms('ctokenVault', { tokenProgram: accounts.reserveCollateralTokenProgram });
  check.tokenTerms('tokenAta', { authority: vaultAdminAuthority, mint: tokenMint, tokenProgram });
  check.address('instructionSysvarAccount', INSTRUCTIONS_SYSVAR);
  return vault;
}

function giveUpFees(
  { accounts, args, remaining }: ReturnType<typeof giveUpPendingFees.decode>,
  call: Call,
): void {
  const check = accountChecks(call, accounts);
  const vault = check.load('vaultState', vaultState, call.program);
  check.program('klendProgram', KLEND_PROGRAM);
  requireLinks(call, vault, accounts);
  refreshReserves(call, { vault, remaining });
  const fields = giveUp(vault, vaultMoment(call, { vault, remaining }), args.maxAmountToGiveUp);
  writeFields(call, vaultState, { address: accounts.vaultState, fields });
}
