import type { Address } from '../../base/encoding/address.ts';
import { CodedError, hasCode } from '../../base/errors.ts';
import type { ProgramError } from '../../base/solana/program-errors.ts';
import { farmsError } from '../../protocol/farms/errors.ts';
import { klendError } from '../../protocol/klend/errors.ts';
import { kvaultError } from '../../protocol/kvault/errors.ts';
import { tokenError } from '../../protocol/spl/errors.ts';
import { findKnownProgram } from '../../views/transactions/known-programs.ts';
import type { ProgramRejection } from './simulation-outcome.ts';

/** Of the system program, and of the token programs: there is not enough to move. */
const TOO_FEW = 1;

const meanings: Readonly<Record<string, (code: number) => ProgramError | undefined>> = {
  klend: klendError,
  kvault: kvaultError,
  farms: farmsError,
  token: tokenError,
  token2022: tokenError,
};

/** What our model refuses as the program's own failure; anything else is thrown on. */
export function toProgramRejection(error: unknown): ProgramRejection {
  if (!hasCode(error, 'PROGRAM_REFUSES')) throw error;
  const { program, code, name, reason } = error.context;
  const meaning = meanings[program]?.(code)?.message;
  return { program, code, name, message: meaning === undefined ? reason : `${meaning}: ${reason}` };
}

type Holding = { readonly has: bigint; readonly needs: bigint };

export function requireTokenBalance({ has, needs }: Holding, tokenProgram: Address): void {
  if (has >= needs) return;
  const program = findKnownProgram(tokenProgram)?.name ?? 'token';
  const reason = `the wallet has ${has} of the smallest units and needs ${needs}`;
  const name = 'InsufficientFunds';
  throw new CodedError('PROGRAM_REFUSES', { program, code: TOO_FEW, name, reason });
}

export function requireLamportBalance({ has, needs }: Holding): void {
  if (has >= needs) return;
  const reason = `The wallet has ${has} lamports, and ${needs} are needed beside the fee`;
  const name = 'ResultWithNegativeLamports';
  throw new CodedError('PROGRAM_REFUSES', { program: 'system', code: TOO_FEW, name, reason });
}
