import { reserve as reserveLayout } from '../../../protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '../../../protocol/klend/program.ts';
import { giveUpPendingFees } from '../../../protocol/kvault/instructions/give-up-pending-fees.ts';
import { withdrawPendingFees } from '../../../protocol/kvault/instructions/withdraw-pending-fees.ts';
import { type VaultState, vaultState } from '../../../protocol/kvault/layout/vault-state.ts';
import {
  giveUpPendingFees as giveUp,
  type PendingFeesEffects,
  withdrawPendingFees as payFees,
} from '../../../protocol/kvault/operations/pending-fees.ts';
import { ctokenVault } from '../../../protocol/kvault/pda.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '../../../protocol/spl/programs.ts';
import type { Call } from '../../runtime/program.ts';
import { writeFields } from '../../runtime/typed-accounts.ts';
import { type Handler, handles } from '../anchor-program.ts';
import { accountChecks, amountOf, TOKEN_PROGRAMS } from './account-checks.ts';
import { redeemFromReserve } from './lending-calls.ts';
import { checkPayout, checkReleased, payoutBalances } from './payout-checks.ts';
import { refreshReserves, vaultMoment } from './reserves.ts';
import { sendFromVault } from './token-calls.ts';
import { requireLinks } from './vault-checks.ts';

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
