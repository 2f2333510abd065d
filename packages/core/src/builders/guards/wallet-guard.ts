import type { Address } from '../../base/encoding/address.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { createAssociatedTokenIdempotent } from '../../protocol/spl/instructions/associated-token.ts';
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '../../protocol/spl/instructions/compute-budget.ts';
import { systemTransfer } from '../../protocol/spl/instructions/system-program.ts';
import { closeAccount, syncNative } from '../../protocol/spl/instructions/token-account.ts';
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../protocol/spl/programs.ts';
import {
  type AccountRule,
  type AllowedInstruction,
  allowInstruction,
  anyAddress,
  type GuardCall,
  oneOfAddresses,
  signingWallet,
  systemProgram,
} from './account-rules.ts';

const isTokenAccountOf = (mint: Address, address: Address | undefined, { context }: GuardCall) =>
  address === context.tokenAccount(mint, TOKEN_PROGRAM);

/** The wallet's wrapped SOL account, if the build uses it. */
const wrappedSol: AccountRule = (address, call) =>
  isTokenAccountOf(WRAPPED_SOL_MINT, address, call) && isUsed(address, call);

const createdAccount: AccountRule = (address, call) => {
  const { mint, tokenProgram } = call.accounts;
  if (mint === undefined || tokenProgram === undefined) return false;
  return address === call.context.tokenAccount(mint, tokenProgram) && isUsed(address, call);
};

/** Wrapped SOL, or the shares of a vault that the build fully withdraws from. */
const closedAccount: AccountRule = (address, call) =>
  wrappedSol(address, call) || isWithdrawnShareAccount(address, call);

function isWithdrawnShareAccount(address: Address | undefined, call: GuardCall): boolean {
  return call.context.calls.some(({ accounts: { vaultState, sharesMint }, args }) => {
    const isFullWithdrawal = vaultState !== undefined && args['sharesAmount'] === U64_MAX;
    return (
      isFullWithdrawal && sharesMint !== undefined && isTokenAccountOf(sharesMint, address, call)
    );
  });
}

const isUsed: AccountRule = (address, { context }) =>
  address !== undefined && context.isUsed(address);

export const allowedSystemInstructions: readonly AllowedInstruction[] = [
  allowInstruction(systemTransfer, { from: signingWallet, to: wrappedSol }),
];

export const allowedTokenInstructions: readonly AllowedInstruction[] = [
  allowInstruction(syncNative, { account: wrappedSol }),
  allowInstruction(closeAccount, {
    account: closedAccount,
    destination: signingWallet,
    owner: signingWallet,
  }),
];

export const allowedAssociatedTokenInstructions: readonly AllowedInstruction[] = [
  allowInstruction(createAssociatedTokenIdempotent, {
    payer: signingWallet,
    ata: createdAccount,
    owner: signingWallet,
    // The mint is covered by the account's address.
    mint: anyAddress,
    systemProgram,
    tokenProgram: oneOfAddresses([TOKEN_PROGRAM, TOKEN_2022_PROGRAM]),
  }),
];

export const allowedComputeBudgetInstructions: readonly AllowedInstruction[] = [
  allowInstruction(setComputeUnitLimit, {}),
  allowInstruction(setComputeUnitPrice, {}),
];
