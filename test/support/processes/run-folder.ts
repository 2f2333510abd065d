import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that is removed when the test run ends. */
export function temporaryFolderPath(prefix: string): string {
  return mkdtempSync(join(process.env['TEST_RUN_FOLDER'] ?? tmpdir(), prefix));
}
