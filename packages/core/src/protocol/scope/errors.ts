import { type ProgramError, programErrors } from '../../base/solana/program-errors.ts';
import { anchorError } from '../spl/anchor-errors.ts';

/** Errors of a price refresh that do not depend on the oracle type. */
const errors = programErrors('scope', {
  UnexpectedAccount: [6004, 'Unexpected account in instruction'],
  AccountsAndTokenMismatch: [
    6006,
    'The number of tokens is different from the number of received accounts',
  ],
  BadTokenNb: [6007, 'The token index received is out of range'],
  UnableToDeserializeAccount: [6010, 'Unable to deserialize account'],
  RefreshInCPI: [6012, 'Refresh price instruction called in a CPI'],
  RefreshWithUnexpectedIxs: [6013, 'Refresh price instruction preceded by unexpected ixs'],
  EmptyTokenList: [6023, 'The provided token list to refresh is empty'],
});

/** The errors of the program and of Anchor, which are below 6000. */
export const scopeError = (code: number): ProgramError | undefined =>
  errors.byCode(code) ?? anchorError(code);

export const scopeRejection = errors.rejection;
