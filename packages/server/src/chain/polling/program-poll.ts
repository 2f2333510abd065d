import type { Slot } from '@tidegate/core/base';
import type { ChainReader } from '../source/chain-reader.ts';
import type { AccountUpdate } from '../source/chain-source.ts';
import { matchesScan } from '../source/matches-scan.ts';
import type { ProgramSnapshot, ScanResult } from './program-snapshot.ts';

/** `floor`: the slot of the newest update already announced for the program. */
export type ScanChanges = {
  readonly program: ProgramSnapshot;
  readonly updates: readonly AccountUpdate[];
  readonly floor: Slot | undefined;
};

type ProgramPollOptions = {
  readonly clock: () => number;
  readonly scanMs: number;
  readonly discoverMs: number;
};

/** Reads the known accounts of a program, or scans it if that is due, and returns what changed. */
export async function pollProgram(
  program: ProgramSnapshot,
  reader: ChainReader,
  { clock, scanMs, discoverMs }: ProgramPollOptions,
): Promise<ScanChanges> {
  const { scan, floor } = program;
  const isDiscovery = program.slot === undefined || program.discoverAt <= clock();
  const result = isDiscovery
    ? await reader.scanProgram(scan, floor)
    : await readKnown(program, reader);
  program.dueAt = clock() + scanMs;
  if (isDiscovery) program.discoverAt = clock() + discoverMs;
  return { program, floor, updates: program.diff(result) };
}

/** Costs a node less than a scan, even if it has to be split into several requests. */
async function readKnown(program: ProgramSnapshot, reader: ChainReader): Promise<ScanResult> {
  const { addresses, scan } = program;
  const { slot, accounts } = await reader.getAccounts(addresses, program.floor);
  const existing = addresses.flatMap((address, i) => {
    const account = accounts[i];
    return account === undefined || !matchesScan(scan, account) ? [] : [{ address, account }];
  });
  return { slot, accounts: existing };
}
