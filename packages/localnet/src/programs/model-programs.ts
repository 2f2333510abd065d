import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { KVAULT_PROGRAM } from '@tidegate/core/protocol/kvault';
import { NEWEST_RULES, type ProgramRules } from '@tidegate/core/protocol/releases';
import { SCOPE_PROGRAM } from '@tidegate/core/protocol/scope';
import type { ProgramRegistry } from '../runtime/program.ts';
import { createFarmsProgram } from './farms/farms-program.ts';
import { createKlendProgram } from './klend/klend-program.ts';
import { createKvaultProgram } from './kvault/kvault-program.ts';
import { scopeProgram } from './scope/scope-program.ts';
import { standardPrograms } from './spl/standard-programs.ts';

/** The built-in model of all programs of the cluster, of the releases with these rules. */
export const modelPrograms = ({
  lending,
  vaults,
  farms,
}: ProgramRules = NEWEST_RULES): ProgramRegistry =>
  new Map([
    ...standardPrograms,
    [KLEND_PROGRAM, createKlendProgram(lending)],
    [KVAULT_PROGRAM, createKvaultProgram(vaults)],
    [FARMS_PROGRAM, createFarmsProgram(farms)],
    [SCOPE_PROGRAM, scopeProgram],
  ]);
