import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { ctokenVault, type VaultRules } from '@tidegate/core/protocol/kvault';
import {
  giveUpPendingFees,
  withdrawPendingFees,
} from '@tidegate/core/protocol/kvault/instructions';
import { type VaultState, vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  findAllocation,
  giveUpPendingFees as giveUp,
  type PendingFeesEffects,
  withdrawPendingFees as payFees,
} from '@tidegate/core/protocol/kvault/operations';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { writeAccount } from '../../runtime/typed-accounts.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { accountChecks, TOKEN_PROGRAMS, tokenAmountOf } from './account-checks.ts';
import { redeemFromReserve } from './klend-cpi.ts';
import { checkPayout, payoutBalances, requireDisinvested } from './payout-checks.ts';
import { transferFromVault } from './token-cpi.ts';
import { requireVaultAccounts } from './vault-checks.ts';
import { readVaultContext, refreshVaultReserves } from './vault-reserves.ts';

const UNITS = 60_000;

export const pendingFeesHandlers = (rules: VaultRules): readonly InstructionHandler[] => [
  anchorHandler(withdrawPendingFees, UNITS, (decoded, call) => {
    handleWithdraw(decoded, call, rules);
  }),
  anchorHandler(giveUpPendingFees, UNITS, (decoded, call) => handleGiveUp(decoded, call, rules)),
];

type WithdrawCall = ReturnType<typeof withdrawPendingFees.decode>;

function handleWithdraw(
  { accounts, remaining }: WithdrawCall,
  call: InvokeContext,
  rules: VaultRules,
): void {
  const vault = checkAccounts(call, accounts);
  const listed = { vault, remaining, rules };
  refreshVaultReserves(call, listed);
  // Releases that refresh the reserves first check it before the order of the reserves.
  findAllocation(vault, accounts.reserve);
  const effects = payFees(vault, readVaultContext(call, listed), accounts.reserve);
  logEffects(call, effects);
  writeAccount(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  const payoutAccounts = { ...accounts, receiver: accounts.tokenAta };
  const before = payoutBalances(call, payoutAccounts);
  const { investedToDisinvestCtokens: ctokens } = effects;
  if (ctokens > 0n) redeemFromReserve(call, accounts, { collateralAmount: ctokens });
  requireDisinvested(tokenAmountOf(call, accounts.tokenVault) - before.tokens, effects);
  transferFromVault(call, accounts.vaultState, {
    tokenProgram: accounts.tokenProgram,
    source: accounts.tokenVault,
    mint: accounts.tokenMint,
    destination: accounts.tokenAta,
    authority: accounts.baseVaultAuthority,
    amount: effects.availableToSendToUser + effects.investedLiquidityToSendToUser,
    decimals: Number(vault.tokenMintDecimals),
  });
  const after = payoutBalances(call, payoutAccounts);
  checkPayout(effects, [before, after], 'TooMuchLiquidityToWithdraw');
}

function logEffects(call: InvokeContext, effects: PendingFeesEffects): void {
  const { availableToSendToUser, investedToDisinvestCtokens } = effects;
  const { investedLiquidityToSendToUser, investedLiquidityToDisinvest } = effects;
  call.log(
    `WithdrawPendingFeesEffects: available_to_send_to_user=${availableToSendToUser}, invested_to_disinvest_ctokens=${investedToDisinvestCtokens}, invested_liquidity_to_send_to_user=${investedLiquidityToSendToUser}, invested_liquidity_to_disinvest=${investedLiquidityToDisinvest}`,
  );
}

function checkAccounts(call: InvokeContext, accounts: WithdrawCall['accounts']): VaultState {
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
  requireVaultAccounts(call, vault, accounts);
  check.tokenTerms('tokenVault', { tokenProgram });
  check.seeds('ctokenVault', ctokenVault(accounts.vaultState, reserve, call.program));
  check.tokenTerms('ctokenVault', { tokenProgram: accounts.reserveCollateralTokenProgram });
  check.tokenTerms('tokenAta', { authority: vaultAdminAuthority, mint: tokenMint, tokenProgram });
  check.address('instructionSysvarAccount', INSTRUCTIONS_SYSVAR);
  return vault;
}

function handleGiveUp(
  { accounts, args, remaining }: ReturnType<typeof giveUpPendingFees.decode>,
  call: InvokeContext,
  rules: VaultRules,
): void {
  const check = accountChecks(call, accounts);
  const vault = check.load('vaultState', vaultState, call.program);
  check.program('klendProgram', KLEND_PROGRAM);
  requireVaultAccounts(call, vault, accounts);
  const listed = { vault, remaining, rules };
  refreshVaultReserves(call, listed);
  const fields = giveUp(vault, readVaultContext(call, listed), args.maxAmountToGiveUp);
  writeAccount(call, vaultState, { address: accounts.vaultState, fields });
}
