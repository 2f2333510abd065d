import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { clientTypes } from './openapi/client-types.ts';
import { readServedDocument } from './openapi/served-document.ts';
import { typescriptTypes } from './openapi/typescript-types.ts';

/** Generates the types of the API for the explorer and for the client. With --check, fails if they are out of date. */
const document = await readServedDocument();
const files = {
  explorer: {
    folder: '../packages/explorer/src/api/generated/',
    types: typescriptTypes(document, { isDocumented: false }),
  },
  client: { folder: '../packages/client/src/generated/', types: clientTypes(document) },
};

for (const [name, { folder, types }] of Object.entries(files)) {
  const file = new URL(`${folder}operations.ts`, import.meta.url);
  if (!process.argv.includes('--check')) {
    mkdirSync(new URL(folder, import.meta.url), { recursive: true });
    writeFileSync(file, types);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== types) {
    console.error(`The types of the ${name} are out of date. Run npm run api-types.`);
    process.exitCode = 1;
  }
}
