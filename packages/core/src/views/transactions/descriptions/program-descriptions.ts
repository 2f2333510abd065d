import type { Address } from '../../../base/encoding/address.ts';
import { type InstructionSet, programInstructions } from '../../../base/solana/instruction-set.ts';
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
import { farmWords, oracleWords } from './farm-descriptions.ts';
import type { Told } from './instruction-description.ts';
import { lendingWords } from './lending-descriptions.ts';
import { lendingSetupWords } from './lending-setup-descriptions.ts';
import {
  associatedTokenWords,
  computeBudgetWords,
  lookupTableWords,
  systemWords,
} from './solana-program-descriptions.ts';
import { token2022Words, tokenWords } from './token-descriptions.ts';
import { vaultWords } from './vault-descriptions.ts';

const told: ReadonlyMap<Address, InstructionSet<Told>> = new Map([
  ...deployments(KLEND_PROGRAMS, [...lendingWords, ...lendingSetupWords]),
  ...deployments(KVAULT_PROGRAMS, vaultWords),
  ...deployments(FARMS_PROGRAMS, farmWords),
  ...deployments(SCOPE_PROGRAMS, oracleWords),
  ...deployments([TOKEN_PROGRAM], tokenWords),
  ...deployments([TOKEN_2022_PROGRAM], token2022Words),
  ...deployments([ASSOCIATED_TOKEN_PROGRAM], associatedTokenWords),
  ...deployments([SYSTEM_PROGRAM], systemWords),
  ...deployments([COMPUTE_BUDGET_PROGRAM], computeBudgetWords),
  ...deployments([ADDRESS_LOOKUP_TABLE_PROGRAM], lookupTableWords),
]);

/** The instructions of a program that can be told in words; undefined for a program that nothing is known of. */
export const toldInstructions = (program: Address): InstructionSet<Told> | undefined =>
  told.get(program);

function deployments(
  programs: readonly Address[],
  words: readonly Told[],
): (readonly [Address, InstructionSet<Told>])[] {
  const set = programInstructions(words);
  return programs.map((program) => [program, set]);
}
