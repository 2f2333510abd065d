import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from './build-if-stale.js';

// Builds with the install, so that the first start need not. Without the development packages there is
// nothing to build with; a program that was built elsewhere does not need it.
try {
  await buildIfStale();
  await makeTemplate();
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
}

// The first embedded database that is opened leaves the template of all others beside the program. Without
// one the first start takes some seconds more, which is no reason to fail an install.
async function makeTemplate() {
  const { openHistory } = await import('../packages/server/dist/history/open-history.js');
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-template-'));
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  try {
    const history = await openHistory({ url: undefined, folder, log });
    await history.close();
  } catch (error) {
    console.warn(`No template of the embedded database was made: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
