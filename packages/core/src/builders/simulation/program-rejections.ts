import type { Address } from '../../base/encoding/address.ts';
import { CodedError, hasCode } from '../../base/errors.ts';
import type { ProgramError } from '../../base/solana/program-errors.ts';
import type { RejectionFigures } from '../../base/solana/rejection-figures.ts';
import { farmsError } from '../../protocol/farms/errors.ts';
import { klendError } from '../../protocol/klend/errors.ts';
import { kvaultError } from '../../protocol/kvault/errors.ts';
import { scopeError } from '../../protocol/scope/errors.ts';
import { systemError, systemRejection, tokenError } from '../../protocol/spl/errors.ts';
import { findKnownProgram } from '../../views/transactions/known-programs.ts';
import { type WalletToken, walletTokenAddress } from '../wallet/token-accounts.ts';
import type { FailureFigures, ProgramRejection, TokenAmount } from './simulation-outcome.ts';

/** Error code of the token programs for an insufficient balance. */
const INSUFFICIENT_BALANCE = 1;

/** An error code of Anchor, the framework of the lending and vault programs. */
const ACCOUNT_NOT_INITIALIZED = 3012;

const errorTables: Readonly<Record<string, (code: number) => ProgramError | undefined>> = {
  klend: klendError,
  kvault: kvaultError,
  farms: farmsError,
  scope: scopeError,
  system: systemError,
  token: tokenError,
  token2022: tokenError,
};

/** What the figures of an operation count. */
export type FigureSubject = {
  readonly token?: Pick<TokenAmount, 'mint' | 'decimals'> | undefined;
  readonly shares?: Pick<TokenAmount, 'mint' | 'decimals'> | undefined;
  /** By program: the account that its limits belong to. */
  readonly accounts?: Readonly<Record<string, Address | undefined>>;
};

/** Converts a rejection by our program models; rethrows any other error. */
export function toProgramRejection(error: unknown, subject: FigureSubject): ProgramRejection {
  if (!hasCode(error, 'PROGRAM_REFUSES')) throw error;
  const { program, code, name, reason, figures } = error.context;
  const meaning = errorTables[program]?.(code)?.message;
  const message = meaning === undefined ? reason : `${meaning}: ${reason}`;
  const resolved = figures && withSubject(figures, program, subject);
  return { program, code, name, message, meaning, figures: resolved };
}

function withSubject(
  figures: RejectionFigures,
  program: string,
  { token, shares, accounts }: FigureSubject,
): FailureFigures {
  const account = figures.account ?? accounts?.[program];
  const counted = { token, share: shares, sol: undefined } as const;
  const of = figures.unit in counted ? counted[figures.unit as keyof typeof counted] : undefined;
  return {
    ...figures,
    ...(account !== undefined && { account }),
    ...(of !== undefined && { token: { mint: of.mint, decimals: of.decimals } }),
  };
}

type Balance = { readonly balance: bigint; readonly required: bigint };

export function requireTokenBalance({ balance, required }: Balance, token: WalletToken): void {
  if (balance >= required) return;
  const program = findKnownProgram(token.tokenProgram)?.name ?? 'token';
  const reason = `the wallet has ${balance} smallest units and needs ${required}`;
  const name = 'InsufficientFunds';
  const account = walletTokenAddress(token);
  const figures = { unit: 'token', needed: required, available: balance, account } as const;
  const context = { program, code: INSUFFICIENT_BALANCE, name, reason, figures };
  throw new CodedError('PROGRAM_REFUSES', context);
}

/** The system program's rejection of a wallet that cannot pay rent and wrapped SOL after the fee. */
export function requireLamportBalance({ balance, required }: Balance, wallet: Address): void {
  if (balance >= required) return;
  const reason = `the wallet has ${balance} lamports and needs ${required} in addition to the fee`;
  const figures = { unit: 'sol', needed: required, available: balance, account: wallet } as const;
  throw systemRejection('ResultWithNegativeLamports', reason, figures);
}

/** The rejection of a payment from a token account that does not exist. */
export function missingTokenAccount(
  program: 'klend' | 'kvault',
  token: WalletToken,
  needed: bigint | undefined,
): CodedError {
  return new CodedError('PROGRAM_REFUSES', {
    program,
    code: ACCOUNT_NOT_INITIALIZED,
    name: 'AccountNotInitialized',
    reason: `the wallet has no account for ${token.label}`,
    figures: {
      unit: 'token',
      available: 0n,
      account: walletTokenAddress(token),
      ...(needed !== undefined && { needed }),
    },
  });
}
