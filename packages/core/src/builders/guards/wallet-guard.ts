import type { Address } from '../../base/encoding/address.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { closeAccount } from '../../protocol/spl/instructions/close-account.ts';
import { createAssociatedTokenIdempotent } from '../../protocol/spl/instructions/create-associated-token-idempotent.ts';
import { setComputeUnitLimit } from '../../protocol/spl/instructions/set-compute-unit-limit.ts';
import { setComputeUnitPrice } from '../../protocol/spl/instructions/set-compute-unit-price.ts';
import { syncNative } from '../../protocol/spl/instructions/sync-native.ts';
import { systemTransfer } from '../../protocol/spl/instructions/system-transfer.ts';
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../protocol/spl/programs.ts';
import {
  type Allowed,
  allow,
  anything,
  type GuardedCall,
  oneOf,
  type Rule,
  systemProgram,
  wallet,
} from './account-rules.ts';

const isTokenAccountOf = (mint: Address, address: Address | undefined, { build }: GuardedCall) =>
  address === build.tokenAccount(mint, TOKEN_PROGRAM);

/** The wallet's own, and only where the build does something with it. */
const wrappedSol: Rule = (address, call) =>
  isTokenAccountOf(WRAPPED_SOL_MINT, address, call) && isUsed(address, call);

const createdAccount: Rule = (address, call) => {
  const { mint, tokenProgram } = call.accounts;
  if (mint === undefined || tokenProgram === undefined) return false;
  return address === call.build.tokenAccount(mint, tokenProgram) && isUsed(address, call);
};

/** Wrapped SOL becomes SOL; of other tokens only the shares of a vault that the build leaves for good. */
const closedAccount: Rule = (address, call) =>
  wrappedSol(address, call) || leftShares(address, call);

function leftShares(address: Address | undefined, call: GuardedCall): boolean {
  return call.build.calls.some(({ accounts: { vaultState, sharesMint }, args }) => {
    const isLeft = vaultState !== undefined && args['sharesAmount'] === U64_MAX;
    return isLeft && sharesMint !== undefined && isTokenAccountOf(sharesMint, address, call);
  });
}

const isUsed: Rule = (address, { build }) => address !== undefined && build.isUsed(address);

export const allowedInSystem: readonly Allowed[] = [
  allow(systemTransfer, { from: wallet, to: wrappedSol }),
];

export const allowedInToken: readonly Allowed[] = [
  allow(syncNative, { account: wrappedSol }),
  allow(closeAccount, { account: closedAccount, destination: wallet, owner: wallet }),
];

export const allowedInAssociatedToken: readonly Allowed[] = [
  allow(createAssociatedTokenIdempotent, {
    payer: wallet,
    ata: createdAccount,
    owner: wallet,
    // part of the address of the account
    mint: anything,
    systemProgram,
    tokenProgram: oneOf([TOKEN_PROGRAM, TOKEN_2022_PROGRAM]),
  }),
];

export const allowedInComputeBudget: readonly Allowed[] = [
  allow(setComputeUnitLimit, {}),
  allow(setComputeUnitPrice, {}),
];
