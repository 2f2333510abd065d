type Json = Readonly<Record<string, unknown>>;

const MAX_ITEMS = 2;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Shortens arrays to two items, or to the number that their schema requires, and maps to two entries. */
export function truncateExample(value: unknown, schema: unknown, document: Json): unknown {
  const resolved = resolveSchema(schema, document, value);
  if (Array.isArray(value)) {
    const length = Math.max(MAX_ITEMS, Number(resolved['minItems'] ?? 0));
    return value.slice(0, length).map((item) => truncateExample(item, resolved['items'], document));
  }
  if (!isObject(value)) return value;
  const properties = isObject(resolved['properties']) ? resolved['properties'] : undefined;
  const entries = Object.entries(value);
  // An object with any properties is not a map: all of its fields are shown.
  const isMap = properties === undefined && isObject(resolved['additionalProperties']);
  const shown = isMap ? entries.slice(0, MAX_ITEMS) : entries;
  return Object.fromEntries(
    shown.map(([key, inner]) => {
      const innerSchema = properties?.[key] ?? resolved['additionalProperties'];
      return [key, truncateExample(inner, innerSchema, document)];
    }),
  );
}

/** Follows references, and picks the alternative for the type of the value. */
function resolveSchema(schema: unknown, document: Json, value: unknown): Json {
  if (!isObject(schema)) return {};
  const { $ref, anyOf, allOf } = schema;
  if (typeof $ref === 'string') return resolveSchema(lookUp($ref, document), document, value);
  if (Array.isArray(anyOf)) {
    const type = Array.isArray(value) ? 'array' : 'object';
    const options = anyOf.map((option) => resolveSchema(option, document, value));
    return options.find((option) => option['type'] === type) ?? {};
  }
  if (Array.isArray(allOf)) {
    const parts = allOf.map((part) => resolveSchema(part, document, value));
    return { properties: Object.assign({}, ...parts.map((part) => part['properties'])) };
  }
  return schema;
}

const lookUp = (reference: string, document: Json): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), document);
