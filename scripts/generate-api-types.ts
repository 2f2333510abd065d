import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { clientTypes } from './openapi/client-types.ts';
import { readServedDocument } from './openapi/served-document.ts';

/** Generates the types of the API for the client. With --check, fails if they are out of date. */
const folder = new URL('../packages/client/src/generated/', import.meta.url);
const file = new URL('operations.ts', folder);
const types = clientTypes(await readServedDocument());

if (!process.argv.includes('--check')) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, types);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== types) {
  console.error('The types of the client are out of date. Run npm run api-types.');
  process.exitCode = 1;
}
