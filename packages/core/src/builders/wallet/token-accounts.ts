import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import {
  associatedTokenAddress,
  associatedTokenSize,
} from '../../protocol/spl/associated-token.ts';
import { createAssociatedTokenIdempotent } from '../../protocol/spl/instructions/associated-token.ts';
import { systemTransfer } from '../../protocol/spl/instructions/system-program.ts';
import { closeAccount, syncNative } from '../../protocol/spl/instructions/token-account.ts';
import { mint as mintLayout } from '../../protocol/spl/layout/mint.ts';
import { type TokenAccount, tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../protocol/spl/programs.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import type { BuildContext } from '../build.ts';
import type { BuildStep } from '../build-summary.ts';
import { existingAccount } from './wallet-accounts.ts';

/** A token of a wallet. `label` is its display name. */
export type WalletToken = {
  readonly wallet: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly label: string;
};

export const walletTokenAddress = ({ wallet, mint, tokenProgram }: WalletToken): Address =>
  associatedTokenAddress(wallet, mint, tokenProgram);

/** The token account, and for Token-2022 also the mint, which determines the account size. */
export function requiredTokenAccounts(token: WalletToken): readonly Address[] {
  const account = walletTokenAddress(token);
  return token.tokenProgram === TOKEN_PROGRAM ? [account] : [account, token.mint];
}

/** Undefined if the account was not read or does not exist. */
export function readWalletToken(
  token: WalletToken,
  context: BuildContext,
): TokenAccount | undefined {
  const account = existingAccount(walletTokenAddress(token), context);
  return account === undefined ? undefined : tokenAccount.decode(account);
}

/**
 * Idempotent and always included: an existing account may be closed before the transaction lands.
 */
export function createTokenAccountStep(token: WalletToken, context: BuildContext): BuildStep {
  const { wallet, mint, tokenProgram, label } = token;
  const ata = walletTokenAddress(token);
  const instruction = createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
    accounts: {
      payer: wallet,
      ata,
      owner: wallet,
      mint,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram,
    },
    args: {},
  });
  if (readWalletToken(token, context) !== undefined) {
    return { instruction, why: `Ensure that the wallet's account for ${label} exists.` };
  }
  const rentLamports = rentExemptLamports(accountSize(token, context));
  const creates = { address: ata, what: `token account for ${label}`, rentLamports };
  return { instruction, why: `Create the wallet's account for ${label}.`, creates };
}

function accountSize({ mint, tokenProgram }: WalletToken, { accounts }: BuildContext): number {
  if (tokenProgram === TOKEN_PROGRAM) return tokenAccount.size;
  const account = accounts.get(mint);
  if (account === undefined) throw new CodedError('NOT_FOUND', { what: 'mint', address: mint });
  return associatedTokenSize(mintLayout.decode(account));
}

export const isWrappedSol = ({ mint }: Pick<WalletToken, 'mint'>): boolean =>
  mint === WRAPPED_SOL_MINT;

/** Transfers SOL into the wallet's wrapped SOL account, which must exist. */
export function wrapSolSteps(token: WalletToken, lamports: bigint): BuildStep[] {
  const account = walletTokenAddress(token);
  const transfer = systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from: token.wallet, to: account },
    args: { lamports: toLamports(lamports) },
  });
  const sync = syncNative.build(TOKEN_PROGRAM, { accounts: { account }, args: {} });
  return [
    { instruction: transfer, why: 'Transfer SOL into the wrapped SOL account.' },
    { instruction: sync, why: 'Sync the wrapped SOL balance.' },
  ];
}

/** `refundLamports`: the rent, and for wrapped SOL the expected balance. */
export function closeTokenAccountStep(
  token: WalletToken,
  { why, refundLamports }: { readonly why: string; readonly refundLamports: bigint },
): BuildStep {
  const address = walletTokenAddress(token);
  const instruction = closeAccount.build(token.tokenProgram, {
    accounts: { account: address, destination: token.wallet, owner: token.wallet },
    args: {},
  });
  return {
    instruction,
    why,
    closes: { address, what: `token account for ${token.label}`, refundLamports },
  };
}
