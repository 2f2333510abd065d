import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { buildIfStale } from './build-if-stale.js';

// Builds at install time, so that the first start is fast. Skips the build without the development
// packages: a published package is already built.
try {
  await buildIfStale();
  await createDatabaseTemplate();
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
}

// The first embedded database that is opened creates the template for all others. Without the
// template the first start takes a few seconds longer, so a failure does not fail the install.
async function createDatabaseTemplate() {
  // the database runs once, for a few seconds: compile it quickly rather than well
  setFlagsFromString('--liftoff-only');
  const { openHistory } = await import('../packages/server/dist/history/open-history.js');
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-template-'));
  const ignore = () => undefined;
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  try {
    const history = await openHistory({ url: undefined, folder, log });
    await history.close();
  } catch (error) {
    console.warn(`Cannot create the template of the embedded database: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
