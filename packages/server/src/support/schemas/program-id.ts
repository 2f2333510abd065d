import { type Address, parseAddress } from '@tidegate/core/base';
import { LENDING_PROGRAM } from '@tidegate/core/views/lending';
import { Type } from 'typebox';
import { CodedError } from '../../errors.ts';

export const ProgramIdString = Type.String({
  default: LENDING_PROGRAM,
  description: 'Lending program that owns the market',
});

/** The contract allows any string, but only an address is valid. */
export function parseProgramId(text: string = LENDING_PROGRAM): Address {
  const programId = parseAddress(text);
  if (programId !== undefined) return programId;
  const message = 'programId must be a base58 address of 32 bytes';
  const issue = { path: ['programId'], code: 'invalid_address', message };
  throw new CodedError('INVALID_QUERY', { issues: [issue] });
}
