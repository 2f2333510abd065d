import { bytesFromText } from '../../base/encoding/bytes.ts';
import { executableHash } from '../spl/upgradeable-loader.ts';
import { PROGRAM_NAMES, type ProgramName, programTables } from './program-tables.ts';

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
