import {
  type Address,
  bytesEqual,
  bytesFromText,
  bytesToText,
  type ClusterAccount,
  findProgramAddress,
  type Slot,
} from '@tidegate/core/base';
import {
  firstSlotAfter,
  modelExecutable,
  type ProgramName,
  programTables,
} from '@tidegate/core/protocol/releases';
import {
  decodeProgramDataHeader,
  executableOf,
  isProgramData,
  rentExemptLamports,
  SYSTEM_PROGRAM,
  UPGRADEABLE_LOADER,
} from '@tidegate/core/protocol/spl';
import type { AccountReader } from '../runtime/transaction-accounts.ts';

/** A release that the model executes, from a slot on. */
type ExecutedVersion = { readonly version: string; readonly from: Slot };

type DeployedVersion = { readonly from: Slot; readonly version: string | undefined };

const deployed = new WeakMap<ClusterAccount, DeployedVersion>();

/** The release that was deployed last; undefined if the account does not tell. */
export function executedVersion(
  program: ProgramName,
  programData: ClusterAccount,
  accounts: AccountReader,
): ExecutedVersion | undefined {
  if (!isProgramData(programData)) return undefined;
  const known = deployed.get(programData) ?? readDeployedVersion(program, programData);
  deployed.set(programData, known);
  const version = known.version ?? markedVersion(accounts.account(versionMarkAddress(program)));
  return version === undefined ? undefined : { version, from: known.from };
}

function readDeployedVersion(program: ProgramName, account: ClusterAccount): DeployedVersion {
  const { deploySlot } = decodeProgramDataHeader(account);
  const executable = executableOf(account.data);
  const release = programTables[program].releases.find(({ version }) =>
    bytesEqual(executable, modelExecutable(program, version)),
  );
  return { from: firstSlotAfter(deploySlot), version: release?.version };
}

const marks = new Map<ProgramName, Address>();

/** An account that names the release which the model executes where the bytes of the program say nothing. */
export function versionMarkAddress(program: ProgramName): Address {
  const seeds = ['tidegate-model', program].map(bytesFromText);
  const address = marks.get(program) ?? findProgramAddress(seeds, UPGRADEABLE_LOADER).address;
  marks.set(program, address);
  return address;
}

export function versionMark(version: string): ClusterAccount {
  const data = bytesFromText(version);
  return { owner: SYSTEM_PROGRAM, lamports: rentExemptLamports(data.length), data };
}

const markedVersion = (mark: ClusterAccount | undefined): string | undefined =>
  mark && bytesToText(mark.data);
