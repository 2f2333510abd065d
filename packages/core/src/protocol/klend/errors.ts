import { type ProgramError, programErrors } from '../../base/solana/program-errors.ts';
import { anchorError } from '../spl/anchor-errors.ts';
import { errorsFrom6000 } from './errors-6000.ts';
import { errorsFrom6100 } from './errors-6100.ts';

const errors = programErrors('klend', { ...errorsFrom6000, ...errorsFrom6100 });

/** The errors of the program and of Anchor, which are below 6000. */
export const klendError = (code: number): ProgramError | undefined =>
  errors.byCode(code) ?? anchorError(code);

export const klendRejection = errors.rejection;

export type KlendErrorName = Parameters<typeof klendRejection>[0];
