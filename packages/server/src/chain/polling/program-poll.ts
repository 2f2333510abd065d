import type { Slot } from '@tidegate/core/base';
import type { AccountUpdate, ChainReads } from '../source/chain-source.ts';
import { matchesScan } from '../source/matches-scan.ts';
import type { AbsentAccounts } from './absent-accounts.ts';
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
  readonly absent: AbsentAccounts;
};

/** Reads the known accounts of a program, or scans it if that is due, and returns what changed. */
export async function pollProgram(
  program: ProgramSnapshot,
  reader: ChainReads,
  { clock, scanMs, discoverMs, absent }: ProgramPollOptions,
): Promise<ScanChanges> {
  const { scan, floor } = program;
  const isDiscovery = program.slot === undefined || program.discoverAt <= clock();
  const result = isDiscovery
    ? await addLeftOut(await reader.scanProgram(scan, floor), program, absent)
    : await readKnown(program, reader, absent);
  program.dueAt = clock() + scanMs;
  if (isDiscovery) program.discoverAt = clock() + discoverMs;
  return { program, floor, updates: program.diff(result) };
}

/** Adds known accounts that exist although the scan left them out. */
export async function addLeftOut(
  { slot, accounts }: ScanResult,
  program: ProgramSnapshot,
  absent: AbsentAccounts,
): Promise<ScanResult> {
  if (program.slot === undefined) return { slot, accounts };
  const scanned = new Set(accounts.map(({ address }) => address));
  const found = await absent.find(
    program.addresses.filter((address) => !scanned.has(address)),
    slot,
  );
  const matching = found.filter(({ account }) => matchesScan(program.scan, account));
  return { slot, accounts: [...accounts, ...matching] };
}

/** Costs a node less than a scan, even if it has to be split into several requests. */
async function readKnown(
  program: ProgramSnapshot,
  reader: ChainReads,
  absent: AbsentAccounts,
): Promise<ScanResult> {
  const { addresses, scan } = program;
  const { slot, accounts } = await reader.getAccounts(addresses, program.floor);
  const found = await absent.find(
    addresses.filter((_, i) => accounts[i] === undefined),
    slot,
  );
  const again = new Map(found.map(({ address, account }) => [address, account]));
  const existing = addresses.flatMap((address, i) => {
    const account = accounts[i] ?? again.get(address);
    return account === undefined || !matchesScan(scan, account) ? [] : [{ address, account }];
  });
  return { slot, accounts: existing };
}
