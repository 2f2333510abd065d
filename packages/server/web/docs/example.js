import { mergeAllOf, resolve } from './openapi.js';
import { enumOf, unionOf } from './schema-descriptions.js';

const CANDIDATES = ['1', '1.5', 'text', '1'.repeat(32), '1'.repeat(64), 'A', 'AAAA', '0x1', ''];

const BY_FORMAT = {
  'date-time': '2025-01-01T00:00:00.000Z',
  date: '2025-01-01',
  time: '00:00:00Z',
  uri: 'https://example.com/',
  email: 'name@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** The example in a schema or parameter; undefined if it has none. */
export const declaredExample = (node) => {
  if (node === null || typeof node !== 'object') return undefined;
  if (node.example !== undefined) return node.example;
  if (Array.isArray(node.examples)) return node.examples[0];
  return Object.values(node.examples ?? {})[0]?.value;
};

const matcher = (pattern) => {
  try {
    return new RegExp(pattern ?? '', 'u');
  } catch {
    return /(?:)/;
  }
};

const stringExample = (schema) => {
  const formatted = BY_FORMAT[schema.format];
  if (formatted) return formatted;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (schema.pattern === undefined) return 'text'.padEnd(minLength, 'x').slice(0, maxLength);
  const pattern = matcher(schema.pattern);
  const isValid = (text) =>
    pattern.test(text) && text.length >= minLength && text.length <= maxLength;
  return CANDIDATES.find(isValid) ?? '';
};

const numberExample = (schema) => {
  const low = schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
  return Math.min(low, schema.maximum ?? low);
};

const objectExample = (api, schema, trail) => {
  const required = new Set(schema.required ?? []);
  const entries = Object.entries(schema.properties ?? {})
    .filter(
      ([key, raw]) => required.has(key) || declaredExample(resolve(api, raw).value) !== undefined,
    )
    .map(([key, raw]) => [key, buildExample(api, raw, trail)]);
  return Object.fromEntries(entries);
};

const arrayExample = (api, schema, trail) => {
  if (schema.prefixItems) return schema.prefixItems.map((item) => buildExample(api, item, trail));
  const recursive = trail.includes(resolve(api, schema.items).name);
  return schema.items && !recursive ? [buildExample(api, schema.items, trail)] : [];
};

const byType = (api, schema, trail) => {
  const type = [schema.type].flat().find((name) => name !== 'null');
  if (type === 'string') return stringExample(schema);
  if (type === 'number' || type === 'integer') return numberExample(schema);
  if (type === 'boolean') return false;
  if (type === 'array' || schema.items) return arrayExample(api, schema, trail);
  if (type === 'object' || schema.properties) return objectExample(api, schema, trail);
  return null;
};

/** A valid value of a schema: its own example, or else the simplest one. */
export const buildExample = (api, raw, trail = []) => {
  const { value, name } = resolve(api, raw);
  const schema = mergeAllOf(api, value);
  if (schema === null || typeof schema !== 'object' || trail.includes(name)) return null;
  const declared =
    declaredExample(schema) ?? schema.const ?? schema.default ?? enumOf(api, schema)?.[0];
  if (declared !== undefined) return declared;
  const inner = name ? [...trail, name] : trail;
  const union = unionOf(schema);
  return union ? buildExample(api, union[0], inner) : byType(api, schema, inner);
};
