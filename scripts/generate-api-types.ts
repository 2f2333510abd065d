import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readServedDocument } from './openapi/served-document.ts';
import { typescriptTypes } from './openapi/typescript-types.ts';

/** Generates the types of the API for the explorer. With --check, fails if they are out of date. */
const FOLDER = new URL('../packages/explorer/src/api/generated/', import.meta.url);
const file = new URL('operations.ts', FOLDER);
const types = typescriptTypes(await readServedDocument());

if (!process.argv.includes('--check')) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, types);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== types) {
  console.error('The types of the explorer are out of date. Run npm run api-types.');
  process.exitCode = 1;
}
