import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of everything that the tests of this run write. Undefined outside of a test run. */
export const runFolder = (): string | undefined => process.env['TEST_RUN_FOLDER'];

/** Creates a folder that is removed when the test run ends. */
export function temporaryFolderPath(prefix: string): string {
  return mkdtempSync(join(runFolder() ?? tmpdir(), prefix));
}
