import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { CURRENT_RULES, KLEND_PROGRAM, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  CURRENT_VAULT_RULES,
  KVAULT_PROGRAM,
  type VaultRules,
} from '@tidegate/core/protocol/kvault';
import { SCOPE_PROGRAM } from '@tidegate/core/protocol/scope';
import type { ProgramRegistry } from '../runtime/program.ts';
import { createFarmsProgram } from './farms/farms-program.ts';
import { CURRENT_FARMS_RULES, type FarmsRules } from './farms/farms-rules.ts';
import { createKlendProgram } from './klend/klend-program.ts';
import { createKvaultProgram } from './kvault/kvault-program.ts';
import { scopeProgram } from './scope/scope-program.ts';
import { standardPrograms } from './spl/standard-programs.ts';

/** The program builds that the model follows. */
export type ModelRules = {
  readonly lending: LendingRules;
  readonly vaults: VaultRules;
  readonly farms: FarmsRules;
};

const CURRENT: ModelRules = {
  lending: CURRENT_RULES,
  vaults: CURRENT_VAULT_RULES,
  farms: CURRENT_FARMS_RULES,
};

/** The built-in model of all programs of the cluster. */
export const modelPrograms = ({ lending, vaults, farms }: ModelRules = CURRENT): ProgramRegistry =>
  new Map([
    ...standardPrograms,
    [KLEND_PROGRAM, createKlendProgram(lending)],
    [KVAULT_PROGRAM, createKvaultProgram(vaults)],
    [FARMS_PROGRAM, createFarmsProgram(farms)],
    [SCOPE_PROGRAM, scopeProgram],
  ]);
