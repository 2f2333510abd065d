import type { Address, Logger, Slot } from '@tidegate/core/base';
import {
  type DeployedProgram,
  PROGRAM_NAMES,
  type ProgramName,
  programTables,
  readDeployedProgram,
} from '@tidegate/core/protocol/releases';
import {
  decodeProgramDataHeader,
  isProgramData,
  PROGRAM_DATA_HEADER_BYTES,
  programDataAddress,
} from '@tidegate/core/protocol/spl';
import type { AccountUpdate, ChainSource } from '../chain/source/chain-source.ts';
import { CodedError } from '../errors.ts';

/** A program of a cluster and the account with its executable. */
export type WatchedProgram = {
  readonly program: ProgramName;
  readonly address: Address;
  readonly programData: Address;
};

type AccountSource = Pick<ChainSource, 'getAccounts'>;

export const programsOfCluster = (cluster: string): readonly WatchedProgram[] =>
  PROGRAM_NAMES.map((program) => {
    const { usual, devnet } = programTables[program].addresses;
    const address = cluster === 'devnet' ? devnet : usual;
    return { program, address, programData: programDataAddress(address) };
  });

/** The slots in which programs were deployed, from the first bytes of their data; without programs that do not exist. */
export async function readDeploySlots(
  source: AccountSource,
  programs: readonly WatchedProgram[],
): Promise<ReadonlyMap<WatchedProgram, Slot>> {
  const addresses = programs.map(({ programData }) => programData);
  const { accounts } = await source.getAccounts(addresses, undefined, PROGRAM_DATA_HEADER_BYTES);
  return new Map(
    programs.flatMap((program, i) => {
      const account = accounts[i];
      if (account === undefined || !isProgramData(account)) return [];
      return [[program, decodeProgramDataHeader(account).deploySlot] as const];
    }),
  );
}

/** A whole program data account has up to some megabytes, so each is read by itself. */
export async function readProgramData(
  source: AccountSource,
  { programData }: WatchedProgram,
): Promise<AccountUpdate> {
  const { slot, accounts } = await source.getAccounts([programData]);
  return { address: programData, slot, account: accounts[0] };
}

/** Undefined, with a warning, for an account that is not a program's data. */
export function parseProgram(
  watched: WatchedProgram,
  { account }: AccountUpdate,
  { cluster, log }: { readonly cluster: string; readonly log: Logger },
): DeployedProgram | undefined {
  const { program, address } = watched;
  if (account === undefined) return undefined;
  try {
    return readDeployedProgram({ program, address }, account, cluster);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    log.warn({ program, address, code: error.code }, 'the data of a program cannot be read');
    return undefined;
  }
}
