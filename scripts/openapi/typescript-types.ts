import type { OpenApi } from './served-document.ts';

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
};

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

type DocumentedCall = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

/** The schemas and operations of the document as TypeScript types. */
export function typescriptTypes({ paths, components }: OpenApi): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema as Schema)};`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        `  readonly '${method.toUpperCase()} ${path}': ${operationType(operation as unknown as DocumentedCall)};`,
    ),
  );
  return [
    '/* Generated from the OpenAPI document by npm run api-types. */',
    ...schemas,
    '/** Operations by method and path. */',
    'export type Operations = {',
    ...operations,
    '};',
    '',
  ].join('\n');
}

function operationType({ parameters = [], requestBody, responses }: DocumentedCall): string {
  const path = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = jsonSchema(requestBody?.content);
  const response = jsonSchema(responses['200']?.content);
  return objectType([
    ['path', parameterType(path), true],
    ['query', parameterType(query), true],
    ['body', body === undefined ? 'undefined' : typeOf(body), true],
    ['response', response === undefined ? 'unknown' : typeOf(response), true],
  ]);
}

const jsonSchema = (content: Content | undefined): Schema | undefined =>
  content?.['application/json']?.schema;

const parameterType = (parameters: readonly Parameter[]): string =>
  parameters.length === 0
    ? 'Readonly<Record<never, never>>'
    : objectType(
        parameters.map(({ name, schema, required }) => [name, typeOf(schema), required === true]),
      );

type Property = readonly [name: string, type: string, isRequired: boolean];

const objectType = (properties: readonly Property[]): string =>
  `{ ${properties.map(([name, type, isRequired]) => `readonly ${keyOf(name)}${isRequired ? '' : '?'}: ${type};`).join(' ')} }`;

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice('#/components/schemas/'.length);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map(typeOf));
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(' & ');
  const types = [schema.type ?? 'unknown'].flat();
  return union(types.map((type) => typeOfKind(type, schema)));
}

const union = (types: readonly string[]): string =>
  types.length === 1 ? (types[0] ?? 'never') : `(${[...new Set(types)].join(' | ')})`;

function typeOfKind(type: string, schema: Schema): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `readonly ${schema.items === undefined ? 'unknown' : parenthesized(typeOf(schema.items))}[]`;
    case 'object':
      return objectSchemaType(schema);
    default:
      return type;
  }
}

/** `readonly` applies to the outer array only. */
const parenthesized = (type: string): string => (type.startsWith('readonly ') ? `(${type})` : type);

function objectSchemaType({ properties, required = [], additionalProperties }: Schema): string {
  if (properties !== undefined) {
    const rows = Object.entries(properties).map(
      ([name, schema]): Property => [name, typeOf(schema), required.includes(name)],
    );
    return objectType(rows);
  }
  const values =
    typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
  return `Readonly<Record<string, ${values}>>`;
}
