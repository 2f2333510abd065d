import type { ApiDocument, Json } from './document.ts';

/** An operation of which another one needs a response, for the request that its form starts with. */
const COMPANIONS: Readonly<Record<string, string>> = {
  decodeTransaction: 'buildLendDepositTx',
  suggestPriorityFee: 'buildLendDepositTx',
};

/** The part of the API document that the form of an operation needs: the operation, and the schemas that it refers to. */
export function operationDocument(document: ApiDocument, operationId: string): object {
  const ids = [operationId, COMPANIONS[operationId]];
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    const selected = Object.entries(methods).filter(([, each]) => ids.includes(each.operationId));
    return selected.length === 0 ? [] : [[path, Object.fromEntries(selected)] as const];
  });
  const { schemas } = document.components;
  const names = new Set<string>();
  collectNames(paths, schemas, names);
  const { openapi = '3.1.0' } = document as ApiDocument & { readonly openapi?: string };
  return {
    openapi,
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries([...names].map((name) => [name, schemas[name]])) },
  };
}

const REFERENCE = '#/components/schemas/';

/** Adds the names of the schemas that a value refers to, and those that these refer to. */
function collectNames(
  value: unknown,
  schemas: Readonly<Record<string, Json>>,
  names: Set<string>,
): void {
  if (typeof value !== 'object' || value === null) return;
  const { $ref: reference } = value as { readonly $ref?: unknown };
  if (typeof reference === 'string' && reference.startsWith(REFERENCE)) {
    const name = reference.slice(REFERENCE.length);
    if (!names.has(name)) collectNames(schemas[name], schemas, names.add(name));
  }
  for (const inner of Object.values(value)) collectNames(inner, schemas, names);
}
