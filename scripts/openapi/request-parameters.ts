import type { OpenApi } from './served-document.ts';

type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean };

/** Where one of several optional parameters is required: the one in the example. */
const CHOSEN: Readonly<Record<string, string>> = { listReserveStats: 'market' };

/** The path parameters and required query parameters of a request, by name. */
export function readRequestParameters(
  document: OpenApi,
  operationId: string,
  path: string,
): Record<string, string> {
  const { template, parameters } = findOperation(document, operationId);
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const inPath = new RegExp(`^${pattern}$`).exec(pathname)?.groups ?? {};
  return Object.fromEntries(
    parameters
      .filter(({ name, required }) => required || name === CHOSEN[operationId])
      .map(({ name }) => [name, inPath[name] ?? searchParams.get(name) ?? '']),
  );
}

function findOperation(document: OpenApi, operationId: string) {
  for (const [template, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) {
      if (operation.operationId !== operationId) continue;
      return { template, parameters: (operation['parameters'] ?? []) as Parameter[] };
    }
  }
  throw new Error(`${operationId} is not in the document`);
}
