import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import {
  depositResult,
  depositUserAtaBalance,
  kvaultRefuses,
} from '@tidegate/core/protocol/kvault';
import { buy, deposit } from '@tidegate/core/protocol/kvault/instructions';
import { type VaultState, vaultState } from '@tidegate/core/protocol/kvault/layout';
import { depositToVault } from '@tidegate/core/protocol/kvault/operations';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Call } from '../../runtime/program.ts';
import { writeFields } from '../../runtime/typed-accounts.ts';
import { type Handler, handles } from '../framework/anchor-program.ts';
import { accountChecks, amountOf, TOKEN_PROGRAMS } from './account-checks.ts';
import { emit } from './emit-event.ts';
import { mintShares, transfer } from './token-cpi.ts';
import { requireEventAuthority, requireLinks } from './vault-checks.ts';
import { refreshReserves, vaultMoment } from './vault-reserves.ts';

const UNITS = 50_000;

export const depositHandlers: readonly Handler[] = [deposit, buy].map((codec) =>
  handles(codec, UNITS, payIn),
);

type DepositCall = ReturnType<typeof deposit.decode>;

function payIn({ accounts, args, remaining }: DepositCall, call: Call): void {
  const { vault, decimals } = checkAccounts(call, accounts);
  const { maxAmount } = args;
  if (maxAmount === 0n) throw kvaultRefuses('DepositAmountsZero', 'the amount is zero');
  const userAtaBalance = amountOf(call, accounts.userTokenAta);
  refreshReserves(call, { vault, remaining });
  emit(call, depositUserAtaBalance.encode({ userAtaBalance }));
  const effects = depositToVault(vault, vaultMoment(call, { vault, remaining }), maxAmount);
  const { sharesToMint, tokenToDeposit, crankFundsToDeposit } = effects;
  emit(call, depositResult.encode({ sharesToMint, tokenToDeposit, crankFundsToDeposit }));
  writeFields(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  transfer(call, {
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
  call: Call,
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
  requireLinks(call, vault, accounts);
  const isOfProgram = call.account(sharesMint).owner === accounts.sharesTokenProgram;
  check.demand(isOfProgram, 'ConstraintMintTokenProgram', 'sharesMint');
  check.tokenTerms('userTokenAta', { authority: user, mint: tokenMint });
  check.tokenTerms('userSharesAta', { authority: user, mint: sharesMint });
  requireEventAuthority(call, accounts.eventAuthority);
  return { vault, decimals };
}
