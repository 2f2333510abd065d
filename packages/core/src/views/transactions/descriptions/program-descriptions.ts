import type { Address } from '../../../base/encoding/address.ts';
import { createInstructionSet, type InstructionSet } from '../../../base/solana/instruction-set.ts';
import { FARMS_PROGRAMS } from '../../../protocol/farms/program.ts';
import { KLEND_PROGRAMS } from '../../../protocol/klend/program.ts';
import { KVAULT_PROGRAMS } from '../../../protocol/kvault/program.ts';
import { SCOPE_PROGRAMS } from '../../../protocol/scope/program.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../protocol/spl/programs.ts';
import { farmAdminDescriptions } from './farm-admin-descriptions.ts';
import { farmDescriptions, oracleDescriptions } from './farm-descriptions.ts';
import type { DescribedCodec } from './instruction-description.ts';
import { lendingDescriptions } from './lending-descriptions.ts';
import { lendingOrderDescriptions } from './lending-order-descriptions.ts';
import { lendingSetupDescriptions } from './lending-setup-descriptions.ts';
import {
  associatedTokenDescriptions,
  computeBudgetDescriptions,
  lookupTableDescriptions,
  systemDescriptions,
} from './solana-program-descriptions.ts';
import { token2022Descriptions, tokenDescriptions } from './token-descriptions.ts';
import { vaultAdminDescriptions } from './vault-admin-descriptions.ts';
import { vaultDescriptions } from './vault-descriptions.ts';

const descriptions: ReadonlyMap<Address, InstructionSet<DescribedCodec>> = new Map([
  ...deployments(KLEND_PROGRAMS, [
    ...lendingDescriptions,
    ...lendingOrderDescriptions,
    ...lendingSetupDescriptions,
  ]),
  ...deployments(KVAULT_PROGRAMS, [...vaultDescriptions, ...vaultAdminDescriptions]),
  ...deployments(FARMS_PROGRAMS, [...farmDescriptions, ...farmAdminDescriptions]),
  ...deployments(SCOPE_PROGRAMS, oracleDescriptions),
  ...deployments([TOKEN_PROGRAM], tokenDescriptions),
  ...deployments([TOKEN_2022_PROGRAM], token2022Descriptions),
  ...deployments([ASSOCIATED_TOKEN_PROGRAM], associatedTokenDescriptions),
  ...deployments([SYSTEM_PROGRAM], systemDescriptions),
  ...deployments([COMPUTE_BUDGET_PROGRAM], computeBudgetDescriptions),
  ...deployments([ADDRESS_LOOKUP_TABLE_PROGRAM], lookupTableDescriptions),
]);

/** The described instructions of a program; undefined for an unknown program. */
export const describedInstructions = (
  program: Address,
): InstructionSet<DescribedCodec> | undefined => descriptions.get(program);

function deployments(
  programs: readonly Address[],
  codecs: readonly DescribedCodec[],
): (readonly [Address, InstructionSet<DescribedCodec>])[] {
  const set = createInstructionSet(codecs);
  return programs.map((program) => [program, set]);
}
