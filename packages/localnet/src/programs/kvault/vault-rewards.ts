import type { Address } from '@tidegate/core/base';
import { kvaultRejection } from '@tidegate/core/protocol/kvault';
import { topupRewards, withdrawRewards } from '@tidegate/core/protocol/kvault/instructions';
import { type VaultState, vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  topupRewards as topUp,
  withdrawRewards as withdraw,
} from '@tidegate/core/protocol/kvault/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { writeAccount } from '../../runtime/typed-accounts.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { accountChecks, TOKEN_PROGRAMS, tokenAmountOf } from './account-checks.ts';
import { transferFromUser, transferFromVault } from './token-cpi.ts';
import { requireVaultAccounts } from './vault-checks.ts';

const UNITS = 20_000;

export const vaultRewardsHandlers: readonly InstructionHandler[] = [
  anchorHandler(topupRewards, UNITS, handleTopup),
  anchorHandler(withdrawRewards, UNITS, handleWithdraw),
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

function handleWithdraw(
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
