type Json = Record<string, unknown>;

export type OpenApi = {
  readonly paths: Record<string, Record<string, Json>>;
  readonly components?: { readonly schemas?: Json; readonly responses?: Json };
};

/** Keywords without effect on validation. */
const ANNOTATIONS = new Set(['title', 'description', 'summary', 'example', 'examples', '$comment']);

/**
 * Lists the differences of an operation between two documents, in both directions: operationId, parameters, request
 * body, statuses, media types and schemas, with references resolved.
 */
export function operationDifferences(
  served: OpenApi,
  contract: OpenApi,
  [path, method]: readonly [string, string],
): string[] {
  const actual = normalize(served, served.paths[path]?.[method]);
  const expected = normalize(contract, contract.paths[path]?.[method]);
  return differences(actual, expected, `${method.toUpperCase()} ${path}`);
}

function normalize(document: OpenApi, operation: Json | undefined): unknown {
  if (operation === undefined) return undefined;
  const { operationId, parameters = [], requestBody, responses } = operation;
  const resolved = resolve(document, parameters) as Json[];
  return {
    operationId,
    parameters: Object.fromEntries(
      resolved.map(({ name, in: location, required = false, schema }) => [
        `${location} ${name}`,
        { required, schema },
      ]),
    ),
    requestBody: resolve(document, requestBody),
    responses: resolve(document, responses),
  };
}

/** Copies a value without references, annotations and extensions, and sorts `required`. */
function resolve(document: OpenApi, value: unknown, inProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(document, item));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as Json;
  if (typeof $ref === 'string') return resolve(document, resolveReference(document, $ref));
  const entries = Object.entries(value)
    .filter(([key]) => inProperties || !(ANNOTATIONS.has(key) || key.startsWith('x-')))
    .map(([key, inner]) => [key, resolve(document, inner, key === 'properties')] as const)
    .map(([key, inner]) => [key, key === 'required' ? sorted(inner) : inner] as const);
  return Object.fromEntries(entries);
}

function resolveReference(document: OpenApi, reference: string): unknown {
  const keys = reference.replace('#/', '').split('/');
  const target = keys.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], document);
  if (target === undefined) throw new Error(`${reference} does not exist`);
  return target;
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value;
}

function differences(actual: unknown, expected: unknown, at: string): string[] {
  if (isObject(actual) && isObject(expected)) {
    const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
    return [...keys].flatMap((key) => differences(actual[key], expected[key], `${at} > ${key}`));
  }
  const areArrays = Array.isArray(actual) && Array.isArray(expected);
  if (areArrays && [...actual, ...expected].every(isObject)) {
    const length = Math.max(actual.length, expected.length);
    const indices = Array.from({ length }, (_, i) => i);
    return indices.flatMap((i) => differences(actual[i], expected[i], `${at} > ${i}`));
  }
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  return a === b ? [] : [`${at}: served ${a}, contract ${b}`];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
