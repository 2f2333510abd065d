import type { Address } from '../../base/encoding/address.ts';
import { bytesFromText } from '../../base/encoding/bytes.ts';
import type { RawAccount } from '../../base/solana/account.ts';
import type { ReleaseTable } from '../../base/solana/program-release.ts';
import { type Slot, toSlot } from '../../base/time.ts';
import {
  decodeProgramDataHeader,
  executableHash,
  executableOf,
} from '../spl/upgradeable-loader.ts';
import { PROGRAM_NAMES, type ProgramName, programTables } from './program-rules.ts';

/** A known release, and by what it was recognized. `model`: of the embedded cluster. */
export type IdentifiedRelease = {
  readonly version: string;
  readonly by: 'hash' | 'deploySlot' | 'model';
};

/** What a cluster runs of a program. */
export type DeployedProgram = {
  readonly program: ProgramName;
  readonly address: Address;
  readonly deploySlot: Slot;
  /** Undefined if nobody can upgrade it. */
  readonly authority: Address | undefined;
  /** Bytes of the executable, with the zeros that follow it. */
  readonly size: number;
  /** sha256 of the executable without the zeros at its end. */
  readonly hash: string;
  /** Undefined if the release is not known. */
  readonly release: IdentifiedRelease | undefined;
};

type Deployment = Pick<DeployedProgram, 'deploySlot' | 'hash'>;

/** Reads a program data account. Throws MALFORMED_DATA for another account. */
export function readDeployedProgram(
  { program, address }: Pick<DeployedProgram, 'program' | 'address'>,
  programData: RawAccount,
  cluster: string,
): DeployedProgram {
  const header = decodeProgramDataHeader(programData);
  const executable = executableOf(programData.data);
  const hash = executableHash(executable);
  const release = identifyRelease(program, { ...header, hash }, cluster);
  return { program, address, ...header, size: executable.length, hash, release };
}

/** The release that an executable is: by its hash, or on mainnet by the slot of its deployment. Undefined if it is not known. */
export function identifyRelease(
  program: ProgramName,
  { deploySlot, hash }: Deployment,
  cluster: string,
): IdentifiedRelease | undefined {
  const { releases } = programTables[program];
  const byHash = releases.find(({ executableHash: known }) => known === hash);
  if (byHash !== undefined) return { version: byHash.version, by: 'hash' };
  const model = modelVersion(program, hash);
  if (model !== undefined) return { version: model, by: 'model' };
  const version = cluster === 'mainnet-beta' ? versionAt(releases, deploySlot) : undefined;
  return version === undefined ? undefined : { version, by: 'deploySlot' };
}

/**
 * Every deployment before the newest one of the table is known: one between two of its slots has the rules of the first of
 * them. Nothing is known of later deployments. An executable with another hash than its release has is not that release.
 */
function versionAt(releases: ReleaseTable<unknown>, deploySlot: Slot): string | undefined {
  const deployed = releases.flatMap(({ deploySlot: slot, ...release }) =>
    slot === 'not deployed' ? [] : { ...release, slot },
  );
  const index = deployed.findLastIndex(({ slot }) => slot <= deploySlot);
  const found = deployed[index];
  if (found === undefined) return undefined;
  const isExact = found.slot === deploySlot && found.isEstimated === undefined;
  const isNewest = index === deployed.length - 1;
  if (isExact) return found.executableHash === undefined ? found.version : undefined;
  return isNewest ? undefined : found.version;
}

/** The first slot that a program executes in after its deployment. A program of the first slot was always there. */
export const firstSlotAfter = (deploySlot: Slot): Slot =>
  deploySlot === 0n ? deploySlot : toSlot(deploySlot + 1n);

/** What stands for the executable of a release where a model of it runs, as on the embedded cluster. */
export const modelExecutable = (program: ProgramName, version: string): Uint8Array =>
  bytesFromText(`Tidegate's model of ${program} ${version}\n`);

let versions: ReadonlyMap<string, string> | undefined;

/** The version that such an executable stands for; undefined for another executable. */
export function modelVersion(program: ProgramName, hash: string): string | undefined {
  versions ??= new Map(
    PROGRAM_NAMES.flatMap((name) =>
      programTables[name].releases.map(({ version }) => [
        `${name} ${executableHash(modelExecutable(name, version))}`,
        version,
      ]),
    ),
  );
  return versions.get(`${program} ${hash}`);
}
