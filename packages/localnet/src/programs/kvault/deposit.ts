import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import {
  depositResult,
  depositUserAtaBalance,
  kvaultRejection,
  type VaultRules,
} from '@tidegate/core/protocol/kvault';
import {
  buy,
  buyWithMinSharesOut,
  deposit,
  depositWithMinSharesOut,
} from '@tidegate/core/protocol/kvault/instructions';
import { type VaultState, vaultState } from '@tidegate/core/protocol/kvault/layout';
import { type DepositOffer, depositToVault } from '@tidegate/core/protocol/kvault/operations';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { writeAccount } from '../../runtime/typed-accounts.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { emitEvent, requireEventAuthority } from '../framework/emit-event.ts';
import {
  accountChecks,
  checkPermissioningAuthority,
  readVaultContext,
  refreshVaultReserves,
  requireVaultAccounts,
  TOKEN_PROGRAMS,
  tokenAmountOf,
} from './account-checks.ts';
import { mintShares, transferFromUser } from './cpi.ts';

const UNITS = 50_000;

export const vaultDepositHandlers = (rules: VaultRules): readonly InstructionHandler[] => [
  ...[deposit, buy].map((codec) =>
    anchorHandler(codec, UNITS, (decoded, call) => handleDeposit(decoded, call, rules)),
  ),
  ...(rules.limitInstructions === 'present'
    ? [depositWithMinSharesOut, buyWithMinSharesOut]
    : []
  ).map((codec) =>
    anchorHandler(codec, UNITS, (decoded, call) => handleDeposit(decoded, call, rules)),
  ),
];

type DepositCall = Pick<ReturnType<typeof deposit.decode>, 'accounts' | 'remaining'> & {
  readonly args: DepositOffer;
};

function handleDeposit(
  { accounts, args, remaining }: DepositCall,
  call: InvokeContext,
  rules: VaultRules,
): void {
  const { vault, decimals } = checkAccounts(call, accounts);
  if (args.maxAmount === 0n) throw kvaultRejection('DepositAmountsZero', 'the amount is zero');
  const userAtaBalance = tokenAmountOf(call, accounts.userTokenAta);
  const vaultBalance = tokenAmountOf(call, accounts.tokenVault);
  const listed = {
    vault,
    remaining: checkPermissioningAuthority(call, { vault, remaining, rules }),
    rules,
  };
  refreshVaultReserves(call, listed);
  emitEvent(call, depositUserAtaBalance.encode({ userAtaBalance }));
  const effects = depositToVault(vault, readVaultContext(call, listed), args);
  const { sharesToMint, tokenToDeposit, crankFundsToDeposit } = effects;
  const amount = tokenToDeposit + crankFundsToDeposit;
  emitEvent(call, depositResult.encode({ sharesToMint, tokenToDeposit, crankFundsToDeposit }));
  writeAccount(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  transferFromUser(call, {
    tokenProgram: accounts.tokenProgram,
    source: accounts.userTokenAta,
    mint: accounts.tokenMint,
    destination: accounts.tokenVault,
    authority: accounts.user,
    amount,
    decimals,
  });
  mintShares(call, accounts, { account: accounts.userSharesAta, amount: sharesToMint });
  const received = tokenAmountOf(call, accounts.tokenVault) - vaultBalance;
  if (rules.depositBalanceCheck === 'vault' && received !== amount) {
    const reason = `the vault has received ${received} instead of ${amount}`;
    throw kvaultRejection('TokensDepositedAmountDoesNotMatch', reason);
  }
}

function checkAccounts(
  call: InvokeContext,
  accounts: DepositCall['accounts'],
): { readonly vault: VaultState; readonly decimals: number } {
  const check = accountChecks(call, accounts);
  const { user, tokenMint, sharesMint } = accounts;
  const vault = check.load('vaultState', vaultState, call.program);
  check.token('tokenVault');
  const { decimals } = check.mint('tokenMint');
  check.mint('sharesMint');
  check.token('userTokenAta');
  check.token('userSharesAta');
  check.program('klendProgram', KLEND_PROGRAM);
  check.program('tokenProgram', ...TOKEN_PROGRAMS);
  check.program('sharesTokenProgram', TOKEN_PROGRAM);
  requireVaultAccounts(call, vault, accounts);
  const isOfProgram = call.account(sharesMint).owner === accounts.sharesTokenProgram;
  check.require(isOfProgram, 'ConstraintMintTokenProgram', 'sharesMint');
  check.tokenTerms('userTokenAta', { authority: user, mint: tokenMint });
  check.tokenTerms('userSharesAta', { authority: user, mint: sharesMint });
  requireEventAuthority(call, accounts.eventAuthority);
  return { vault, decimals };
}
