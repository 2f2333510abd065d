import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allMigrations } from '../migrations/all-migrations.ts';
import { packFolder } from './folder-archive.ts';

/**
 * Where the packed files of a database without rows lie: beside the compiled program. Another
 * release of the engine, or other tables, have another one.
 */
export function templatePath(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const manifest = readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8');
  const { version }: { readonly version: string } = JSON.parse(manifest);
  const statements = allMigrations.map((migration) =>
    migration.statements({ hasTimescale: false }),
  );
  const hash = createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 8);
  return fileURLToPath(
    new URL(`../../../dist/pglite-${version}-${hash}.template`, import.meta.url),
  );
}

/** If it can: the folder of an installed program may be closed to those who run it. */
export function saveTemplate(path: string, database: string): void {
  const unfinished = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch {
    return;
  }
  try {
    writeFileSync(unfinished, packFolder(database));
    renameSync(unfinished, path);
    removeOthers(path);
  } catch {
    rmSync(unfinished, { force: true });
  }
}

/** Those of former releases. */
function removeOthers(path: string): void {
  const folder = dirname(path);
  const others = readdirSync(folder).filter((name) => /^pglite-.*\.template$/.test(name));
  for (const name of others) {
    if (name !== basename(path)) rmSync(join(folder, name), { force: true });
  }
}
