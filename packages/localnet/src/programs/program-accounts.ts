import type { Address } from '@tidegate/core/base';
import { PROGRAM_NAMES, type ProgramName, programTables } from '@tidegate/core/protocol/releases';
import { programDataAddress } from '@tidegate/core/protocol/spl';

type ProgramAccounts = { readonly program: Address; readonly programData: Address };

const accountsOf = (name: ProgramName): ProgramAccounts => {
  const { usual } = programTables[name].addresses;
  return { program: usual, programData: programDataAddress(usual) };
};

/** The two accounts of each program of the protocol. */
export const programAccounts: Readonly<Record<ProgramName, ProgramAccounts>> = {
  klend: accountsOf('klend'),
  kvault: accountsOf('kvault'),
  farms: accountsOf('farms'),
  scope: accountsOf('scope'),
};

/** By name or address; undefined for another program. */
export const findProgramName = (text: string): ProgramName | undefined =>
  PROGRAM_NAMES.find((name) => name === text || programAccounts[name].program === text);
