import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { createKlendProgram } from '#localnet/programs/klend/klend-program.ts';
import type { ProgramRegistry } from '#localnet/runtime/program.ts';
import { releaseRules } from '../lending/release-rules.ts';
import { goldenPrograms } from './flow-calls.ts';

/** The programs of the recordings with another release of the lending program. */
export const programsOf = (version: string): ProgramRegistry =>
  new Map([...goldenPrograms, [KLEND_PROGRAM, createKlendProgram(releaseRules(version))]]);

/** With the release that mainnet runs. */
export const currentPrograms = programsOf('1.25');
