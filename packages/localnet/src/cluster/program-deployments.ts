import {
  type Address,
  bytesEqual,
  type ClusterAccount,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import { firstSlotAfter, type ProgramName } from '@tidegate/core/protocol/releases';
import {
  decodeProgramDataHeader,
  encodeProgram,
  encodeProgramData,
  executableOf,
  isProgramData,
  rentExemptLamports,
  UPGRADEABLE_LOADER,
} from '@tidegate/core/protocol/spl';
import { createSeededKeys } from '../genesis/seed/seeded-keys.ts';
import { programAccounts } from '../programs/program-accounts.ts';
import type { AccountReader } from '../runtime/transaction-accounts.ts';
import type { Deployment } from '../runtime/transactions/executor.ts';

type NewAccount = readonly [address: Address, account: ClusterAccount];

/** The executable of a program, as it is deployed in a slot. */
export type DeployedExecutable = {
  readonly program: ProgramName;
  readonly deploySlot: Slot;
  readonly executable: Uint8Array;
};

/** The program account and the program data account of an executable. */
export function deployedAccounts(
  { program, deploySlot, executable }: DeployedExecutable,
  seed: string,
): readonly NewAccount[] {
  const { program: address, programData } = programAccounts[program];
  const authority = createSeededKeys(seed)('upgrade-authority');
  return [
    [address, loaderAccount(encodeProgram(programData))],
    [programData, loaderAccount(encodeProgramData({ deploySlot, authority }, executable))],
  ];
}

/** Accounts to write so that each program has the executable of its deployment, unless it was upgraded later. */
export const deployScheduled = (
  deployments: readonly Deployment[],
  accounts: AccountReader,
  seed: string,
): readonly NewAccount[] =>
  deployments.flatMap(({ program, from, executable }) => {
    const current = accounts.account(programAccounts[program].programData);
    if (current !== undefined && isSameOrLater(current, { from, executable })) return [];
    // a program executes from the slot after its deployment on
    const deploySlot = from === 0n ? from : toSlot(from - 1n);
    return deployedAccounts({ program, deploySlot, executable }, seed);
  });

function isSameOrLater(
  current: ClusterAccount,
  { from, executable }: Pick<Deployment, 'from' | 'executable'>,
): boolean {
  if (!isProgramData(current)) return false;
  if (firstSlotAfter(decodeProgramDataHeader(current).deploySlot) > from) return true;
  return bytesEqual(executableOf(current.data), executable);
}

const loaderAccount = (data: Uint8Array): ClusterAccount => ({
  owner: UPGRADEABLE_LOADER,
  lamports: rentExemptLamports(data.length),
  data,
});
