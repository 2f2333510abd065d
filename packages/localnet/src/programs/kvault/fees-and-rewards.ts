import type { Address } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { ctokenVault, kvaultRejection, type VaultRules } from '@tidegate/core/protocol/kvault';
import {
  giveUpPendingFees,
  topupRewards,
  withdrawPendingFees,
  withdrawRewards,
} from '@tidegate/core/protocol/kvault/instructions';
import { type VaultState, vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  findAllocation,
  giveUpPendingFees as giveUp,
  type PendingFeesEffects,
  withdrawPendingFees as payFees,
  topupRewards as topUp,
  withdrawRewards as withdraw,
} from '@tidegate/core/protocol/kvault/operations';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { writeAccount } from '../../runtime/typed-accounts.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import {
  accountChecks,
  readVaultContext,
  refreshVaultReserves,
  requireVaultAccounts,
  TOKEN_PROGRAMS,
  tokenAmountOf,
} from './account-checks.ts';
import {
  checkPayout,
  payoutBalances,
  redeemFromReserve,
  requireDisinvested,
  transferFromUser,
  transferFromVault,
} from './cpi.ts';

const REWARD_UNITS = 20_000;

export const vaultRewardsHandlers: readonly InstructionHandler[] = [
  anchorHandler(topupRewards, REWARD_UNITS, handleTopup),
  anchorHandler(withdrawRewards, REWARD_UNITS, handleWithdrawRewards),
];

function handleTopup(
  { accounts, args }: ReturnType<typeof topupRewards.decode>,
  call: InvokeContext,
): void {
  const check = accountChecks(call, accounts);
  const { vaultState: address, tokenMint, tokenVault, payerTokenTa, tokenProgram } = accounts;
  const vault = check.load('vaultState', vaultState, call.program);
  const { decimals } = check.mint('tokenMint');
  check.token('tokenVault');
  check.token('payerTokenTa');
  check.program('tokenProgram', ...TOKEN_PROGRAMS);
  requireVaultAccounts(call, vault, { tokenMint, tokenVault });
  check.tokenTerms('payerTokenTa', { authority: accounts.payer, mint: tokenMint });
  const { amount } = args;
  const fields = topUp(vault, amount, call.time.unix);
  writeAccount(call, vaultState, { address, fields });
  const expected = expectedBalances(
    call,
    { source: payerTokenTa, destination: tokenVault },
    amount,
  );
  transferFromUser(call, {
    tokenProgram,
    source: payerTokenTa,
    mint: tokenMint,
    destination: tokenVault,
    authority: accounts.payer,
    amount,
    decimals,
  });
  expected.check('RewardTopupAmountNotExpected');
  logRewards(call, `Rewards topped up: ${amount} (available`, fields);
}

function handleWithdrawRewards(
  { accounts, args }: ReturnType<typeof withdrawRewards.decode>,
  call: InvokeContext,
): void {
  const check = accountChecks(call, accounts);
  const { vaultState: address, tokenMint, tokenVault, tokenProgram } = accounts;
  const { withdrawTokenAccount, baseVaultAuthority, vaultAdminAuthority } = accounts;
  const vault = check.load('vaultState', vaultState, call.program);
  check.mint('tokenMint');
  check.token('tokenVault');
  check.token('withdrawTokenAccount');
  check.program('tokenProgram', ...TOKEN_PROGRAMS);
  const linked = { vaultAdminAuthority, tokenMint, tokenVault, baseVaultAuthority };
  requireVaultAccounts(call, vault, linked);
  check.tokenTerms('withdrawTokenAccount', { mint: tokenMint });
  const { vault: fields, amount } = withdraw(vault, args.amount, call.time.unix);
  writeAccount(call, vaultState, { address, fields });
  const moved = { source: tokenVault, destination: withdrawTokenAccount };
  const expected = expectedBalances(call, moved, amount);
  if (amount > 0n) {
    transferFromVault(call, address, {
      tokenProgram,
      source: tokenVault,
      mint: tokenMint,
      destination: withdrawTokenAccount,
      authority: baseVaultAuthority,
      amount,
      decimals: Number(vault.tokenMintDecimals),
    });
  }
  expected.check('RewardWithdrawAmountNotExpected');
  logRewards(call, `Rewards withdrawn: ${amount} (remaining available`, fields);
}

type Movement = { readonly source: Address; readonly destination: Address };

/** A mint with a transfer fee delivers less than was sent. */
function expectedBalances(call: InvokeContext, { source, destination }: Movement, amount: bigint) {
  const sourceAfter = tokenAmountOf(call, source) - amount;
  const destinationAfter = tokenAmountOf(call, destination) + amount;
  return {
    check(error: Parameters<typeof kvaultRejection>[0]): void {
      const isExpected =
        tokenAmountOf(call, source) === sourceAfter &&
        tokenAmountOf(call, destination) === destinationAfter;
      if (!isExpected) throw kvaultRejection(error, 'another amount than requested has moved');
    },
  };
}

function logRewards(call: InvokeContext, what: string, { rewardInfo }: VaultState): void {
  const { rewardsAvailable, rewardPerSecond } = rewardInfo;
  call.log(`${what}: ${rewardsAvailable}, rps: ${rewardPerSecond})`);
}

const FEE_UNITS = 60_000;

export const pendingFeesHandlers = (rules: VaultRules): readonly InstructionHandler[] => [
  anchorHandler(withdrawPendingFees, FEE_UNITS, (decoded, call) => {
    handleWithdrawFees(decoded, call, rules);
  }),
  anchorHandler(giveUpPendingFees, FEE_UNITS, (decoded, call) =>
    handleGiveUp(decoded, call, rules),
  ),
];

type WithdrawCall = ReturnType<typeof withdrawPendingFees.decode>;

function handleWithdrawFees(
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
