import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import {
  depositResult,
  depositUserAtaBalance,
  kvaultRejection,
} from '@tidegate/core/protocol/kvault';
import {
  buy,
  buyWithMinSharesOut,
  deposit,
  depositWithMinSharesOut,
} from '@tidegate/core/protocol/kvault/instructions';
import { type VaultState, vaultState } from '@tidegate/core/protocol/kvault/layout';
import { depositToVault } from '@tidegate/core/protocol/kvault/operations';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { writeAccount } from '../../runtime/typed-accounts.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { emitEvent, requireEventAuthority } from '../framework/emit-event.ts';
import { accountChecks, TOKEN_PROGRAMS, tokenAmountOf } from './account-checks.ts';
import { mintShares, transferFromUser } from './token-cpi.ts';
import { requireVaultAccounts } from './vault-checks.ts';
import { readVaultContext, refreshVaultReserves } from './vault-reserves.ts';

const UNITS = 50_000;

export const vaultDepositHandlers: readonly InstructionHandler[] = [
  ...[deposit, buy].map((codec) =>
    anchorHandler(codec, UNITS, (decoded, call) => handleDeposit(decoded, call, 0n)),
  ),
  ...[depositWithMinSharesOut, buyWithMinSharesOut].map((codec) =>
    anchorHandler(codec, UNITS, (decoded, call) =>
      handleDeposit(decoded, call, decoded.args.minSharesOut),
    ),
  ),
];

type DepositCall = Pick<ReturnType<typeof deposit.decode>, 'accounts' | 'args' | 'remaining'>;

function handleDeposit(
  { accounts, args, remaining }: DepositCall,
  call: InvokeContext,
  minSharesOut: bigint,
): void {
  const { vault, decimals } = checkAccounts(call, accounts);
  const { maxAmount } = args;
  if (maxAmount === 0n) throw kvaultRejection('DepositAmountsZero', 'the amount is zero');
  const userAtaBalance = tokenAmountOf(call, accounts.userTokenAta);
  refreshVaultReserves(call, { vault, remaining });
  emitEvent(call, depositUserAtaBalance.encode({ userAtaBalance }));
  const effects = depositToVault(vault, readVaultContext(call, { vault, remaining }), maxAmount);
  const { sharesToMint, tokenToDeposit, crankFundsToDeposit } = effects;
  if (sharesToMint < minSharesOut) {
    const reason = `the deposit issues ${sharesToMint} shares, fewer than ${minSharesOut}`;
    throw kvaultRejection('SharesOutBelowMinimum', reason);
  }
  emitEvent(call, depositResult.encode({ sharesToMint, tokenToDeposit, crankFundsToDeposit }));
  writeAccount(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  transferFromUser(call, {
    tokenProgram: accounts.tokenProgram,
    source: accounts.userTokenAta,
    mint: accounts.tokenMint,
    destination: accounts.tokenVault,
    authority: accounts.user,
    amount: tokenToDeposit + crankFundsToDeposit,
    decimals,
  });
  mintShares(call, accounts, { account: accounts.userSharesAta, amount: sharesToMint });
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
