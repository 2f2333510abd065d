import type { Address } from '../../base/encoding/address.ts';
import type { ProgramError } from '../../base/solana/program-errors.ts';
import { farmsError } from '../../protocol/farms/errors.ts';
import { farmsInstructions } from '../../protocol/farms/instruction-set.ts';
import { FARMS_PROGRAMS } from '../../protocol/farms/program.ts';
import { klendError } from '../../protocol/klend/errors.ts';
import { klendInstructions } from '../../protocol/klend/instruction-set.ts';
import { KLEND_PROGRAMS } from '../../protocol/klend/program.ts';
import { kvaultError } from '../../protocol/kvault/errors.ts';
import { kvaultInstructions } from '../../protocol/kvault/instruction-set.ts';
import { KVAULT_PROGRAMS } from '../../protocol/kvault/program.ts';
import { scopeError } from '../../protocol/scope/errors.ts';
import { scopeInstructions } from '../../protocol/scope/instruction-set.ts';
import { SCOPE_PROGRAMS } from '../../protocol/scope/program.ts';
import { associatedTokenError, systemError, tokenError } from '../../protocol/spl/errors.ts';
import { splInstructions } from '../../protocol/spl/instruction-set.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../protocol/spl/programs.ts';

export type ProgramName =
  | 'klend'
  | 'kvault'
  | 'farms'
  | 'scope'
  | 'token'
  | 'token2022'
  | 'associatedToken'
  | 'system'
  | 'computeBudget'
  | 'addressLookupTable';

/** A program with its instruction and error names. */
export type KnownProgram = {
  readonly name: ProgramName;
  nameOf(data: Uint8Array): string | undefined;
  errorOf(code: number): ProgramError | undefined;
};

const knownPrograms: ReadonlyMap<Address, KnownProgram> = new Map([
  ...deployments('klend', KLEND_PROGRAMS, { ...klendInstructions, errorOf: klendError }),
  ...deployments('kvault', KVAULT_PROGRAMS, { ...kvaultInstructions, errorOf: kvaultError }),
  ...deployments('farms', FARMS_PROGRAMS, { ...farmsInstructions, errorOf: farmsError }),
  ...deployments('scope', SCOPE_PROGRAMS, { ...scopeInstructions, errorOf: scopeError }),
  spl('token', TOKEN_PROGRAM, tokenError),
  spl('token2022', TOKEN_2022_PROGRAM, tokenError),
  spl('associatedToken', ASSOCIATED_TOKEN_PROGRAM, associatedTokenError),
  spl('system', SYSTEM_PROGRAM, systemError),
  spl('computeBudget', COMPUTE_BUDGET_PROGRAM),
  spl('addressLookupTable', ADDRESS_LOOKUP_TABLE_PROGRAM),
]);

/** Undefined for an unknown program. */
export const findKnownProgram = (address: Address): KnownProgram | undefined =>
  knownPrograms.get(address);

function deployments(
  name: ProgramName,
  addresses: readonly Address[],
  names: Omit<KnownProgram, 'name'>,
): (readonly [Address, KnownProgram])[] {
  const { nameOf, errorOf } = names;
  return addresses.map((address) => [address, { name, nameOf, errorOf }]);
}

function spl(
  name: ProgramName,
  address: Address,
  errorOf: KnownProgram['errorOf'] = () => undefined,
): readonly [Address, KnownProgram] {
  const instructions = splInstructions(address);
  return [address, { name, nameOf: (data) => instructions?.nameOf(data), errorOf }];
}
