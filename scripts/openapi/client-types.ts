import { errorStatuses } from '#server/http/errors/error-status.ts';
import type { OpenApi } from './served-document.ts';
import { listTextOperations, typescriptTypes } from './typescript-types.ts';

/** The types of the API for the client: with comments, the codes of errors, and which answers are text. */
export function clientTypes(document: OpenApi): string {
  return [
    typescriptTypes(document, { isDocumented: true }).trimEnd(),
    "/** Codes of the server's errors. They are added, never renamed. */",
    `export type ErrorCode =\n${publicCodes()
      .map((code) => `  | '${code}'`)
      .join('\n')};`,
    '/** Operations whose answers are text. */',
    'export const textOperations = [',
    ...listTextOperations(document).map((name) => `  '${name}',`),
    '] as const satisfies readonly (keyof Operations)[];',
    '',
  ].join('\n');
}

/** A failure of the server has the code INTERNAL, whatever it is. */
const publicCodes = (): string[] =>
  Object.entries(errorStatuses)
    .filter(([code, status]) => status !== 500 || code === 'INTERNAL')
    .map(([code]) => code)
    .sort();
