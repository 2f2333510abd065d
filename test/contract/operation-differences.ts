type Json = Record<string, unknown>;

export type OpenApi = {
  readonly paths: Record<string, Record<string, Json>>;
  readonly components?: { readonly schemas?: Json; readonly responses?: Json };
};

/** Words that change nothing about what is accepted or answered. */
const ANNOTATIONS = new Set(['title', 'description', 'summary', 'example', 'examples', '$comment']);

/**
 * Every difference between two documents' forms of one operation, in either direction: operationId,
 * parameters, request body, statuses, media types and schemas, references resolved. Empty when they agree.
 */
export function operationDifferences(
  served: OpenApi,
  contract: OpenApi,
  [path, method]: readonly [string, string],
): string[] {
  const ours = normalize(served, served.paths[path]?.[method]);
  const theirs = normalize(contract, contract.paths[path]?.[method]);
  return differences(ours, theirs, `${method.toUpperCase()} ${path}`);
}

function normalize(document: OpenApi, operation: Json | undefined): unknown {
  if (operation === undefined) return undefined;
  const { operationId, parameters = [], requestBody, responses } = operation;
  const resolved = resolve(document, parameters) as Json[];
  return {
    operationId,
    parameters: Object.fromEntries(
      resolved.map(({ name, in: place, required = false, schema }) => [
        `${place} ${name}`,
        { required, schema },
      ]),
    ),
    requestBody: resolve(document, requestBody),
    responses: resolve(document, responses),
  };
}

/** A copy without references, annotations and extensions, with lists of names in one order. */
function resolve(document: OpenApi, value: unknown, inProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(document, item));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as Json;
  if (typeof $ref === 'string') return resolve(document, lookUp(document, $ref));
  const entries = Object.entries(value)
    .filter(([key]) => inProperties || !(ANNOTATIONS.has(key) || key.startsWith('x-')))
    .map(([key, inner]) => [key, resolve(document, inner, key === 'properties')] as const)
    .map(([key, inner]) => [key, key === 'required' ? sorted(inner) : inner] as const);
  return Object.fromEntries(entries);
}

function lookUp(document: OpenApi, reference: string): unknown {
  const keys = reference.replace('#/', '').split('/');
  const found = keys.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], document);
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return found;
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value;
}

function differences(ours: unknown, theirs: unknown, at: string): string[] {
  if (isObject(ours) && isObject(theirs)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    return [...keys].flatMap((key) => differences(ours[key], theirs[key], `${at} > ${key}`));
  }
  if (Array.isArray(ours) && Array.isArray(theirs) && [...ours, ...theirs].every(isObject)) {
    const places = Array.from({ length: Math.max(ours.length, theirs.length) }, (_, i) => i);
    return places.flatMap((i) => differences(ours[i], theirs[i], `${at} > ${i}`));
  }
  const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)];
  return a === b ? [] : [`${at}: served ${a}, contract ${b}`];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
