import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allMigrations } from '../migrations/all-migrations.ts';
import { packFolder } from './folder-archive.ts';

/**
 * Path of the packed files of an empty database, next to the compiled program. The name contains the engine version and
 * a hash of the schema.
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

/** Ignores errors, because the folder of an installed program may be read-only. */
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

/** Deletes the templates of other releases. */
function removeOthers(path: string): void {
  const folder = dirname(path);
  const others = readdirSync(folder).filter((name) => /^pglite-.*\.template$/.test(name));
  for (const name of others) {
    if (name !== basename(path)) rmSync(join(folder, name), { force: true });
  }
}
