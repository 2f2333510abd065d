import type { Address } from '../../base/encoding/address.ts';
import { CodedError, hasCode } from '../../base/errors.ts';
import type { ProgramError } from '../../base/solana/program-errors.ts';
import { farmsError } from '../../protocol/farms/errors.ts';
import { klendError } from '../../protocol/klend/errors.ts';
import { kvaultError } from '../../protocol/kvault/errors.ts';
import { tokenError } from '../../protocol/spl/errors.ts';
import { findKnownProgram } from '../../views/transactions/known-programs.ts';
import type { ProgramRejection } from './simulation-outcome.ts';

/** Error code of the system and token programs for an insufficient balance. */
const INSUFFICIENT_BALANCE = 1;

const errorTables: Readonly<Record<string, (code: number) => ProgramError | undefined>> = {
  klend: klendError,
  kvault: kvaultError,
  farms: farmsError,
  token: tokenError,
  token2022: tokenError,
};

/** Converts a rejection by our program models; rethrows any other error. */
export function toProgramRejection(error: unknown): ProgramRejection {
  if (!hasCode(error, 'PROGRAM_REFUSES')) throw error;
  const { program, code, name, reason } = error.context;
  const meaning = errorTables[program]?.(code)?.message;
  return { program, code, name, message: meaning === undefined ? reason : `${meaning}: ${reason}` };
}

type Balance = { readonly balance: bigint; readonly required: bigint };

export function requireTokenBalance({ balance, required }: Balance, tokenProgram: Address): void {
  if (balance >= required) return;
  const program = findKnownProgram(tokenProgram)?.name ?? 'token';
  const reason = `the wallet has ${balance} smallest units and needs ${required}`;
  const name = 'InsufficientFunds';
  throw new CodedError('PROGRAM_REFUSES', { program, code: INSUFFICIENT_BALANCE, name, reason });
}

export function requireLamportBalance({ balance, required }: Balance): void {
  if (balance >= required) return;
  const reason = `The wallet has ${balance} lamports and needs ${required} in addition to the fee`;
  const name = 'ResultWithNegativeLamports';
  throw new CodedError('PROGRAM_REFUSES', {
    program: 'system',
    code: INSUFFICIENT_BALANCE,
    name,
    reason,
  });
}
