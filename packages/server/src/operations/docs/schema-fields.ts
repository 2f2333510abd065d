import type { ApiDocument, Json } from './document.ts';

export type SchemaField = {
  /** `a.b[].c` */
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
};

type Walk = {
  readonly document: ApiDocument;
  readonly path: string;
  /** Components on the way, so that a recursive one is listed once. */
  readonly trail: readonly string[];
};

/** All fields of a schema with their type and description, outer ones first. */
export const listSchemaFields = (document: ApiDocument, schema: Json): SchemaField[] =>
  fieldsOf(schema, { document, path: '', trail: [] });

function fieldsOf(raw: Json, walk: Walk): SchemaField[] {
  const { schema, name } = resolve(raw, walk.document);
  if (name !== undefined && walk.trail.includes(name)) return [];
  const inner = { ...walk, trail: name === undefined ? walk.trail : [...walk.trail, name] };
  return [
    ...membersOf(schema).flatMap((member) => fieldsOf(member, inner)),
    ...propertyFields(schema, inner),
    ...(isObject(schema['items'])
      ? fieldsOf(schema['items'], { ...inner, path: `${walk.path}[]` })
      : []),
    ...(isObject(schema['additionalProperties'])
      ? fieldsOf(schema['additionalProperties'], { ...inner, path: `${walk.path}{}` })
      : []),
  ];
}

function propertyFields(schema: Json, walk: Walk): SchemaField[] {
  const required = (schema['required'] ?? []) as readonly string[];
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Json>>;
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = walk.path === '' ? name : `${walk.path}.${name}`;
    const target = resolve(property, walk.document).schema;
    const field = {
      path,
      name,
      type: typeOf(property, walk.document),
      required: required.includes(name),
      description: String(property['description'] ?? target['description'] ?? ''),
    };
    return [field, ...fieldsOf(property, { ...walk, path })];
  });
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const membersOf = (schema: Json): readonly Json[] =>
  (['anyOf', 'oneOf', 'allOf'] as const).flatMap((key) => (schema[key] ?? []) as readonly Json[]);

function resolve(raw: Json, { components }: ApiDocument): { schema: Json; name?: string } {
  const reference = raw['$ref'];
  if (typeof reference !== 'string') return { schema: raw };
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return { schema: components.schemas[name] ?? {}, name };
}

/** A short name of the type: `string`, `array of object`, `string or null`. */
export function typeOf(raw: Json, document: ApiDocument): string {
  const { schema } = resolve(raw, document);
  const members = membersOf(schema);
  if (members.length > 0) {
    return [...new Set(members.map((member) => typeOf(member, document)))].join(' or ');
  }
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((value) => `"${value}"`).join(' or ');
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (schema['type'] === 'array' && isObject(schema['items'])) {
    return `array of ${typeOf(schema['items'], document)}`;
  }
  return [schema['type'] ?? 'any'].flat().join(' or ');
}
