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
  /** Of a record: its values by the pattern of its keys. */
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

type DocumentedCall = {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

type TypeOptions = {
  /** Writes descriptions as comments, and the types of answers that are not JSON. */
  readonly isDocumented: boolean;
};

/** The schemas and operations of the document as TypeScript types. */
export function typescriptTypes(document: OpenApi, { isDocumented }: TypeOptions): string {
  const { paths, components } = isDocumented ? document : withoutDescriptions(document);
  const schemas = Object.entries(components.schemas).map(([name, raw]) => {
    const schema = raw as Schema;
    return `${commentOf(schema.description, '\n')}export type ${name} = ${typeOf(schema)};`;
  });
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const call = operation as unknown as DocumentedCall;
      const comment = commentOf(call.summary, '\n  ');
      const type = operationType(call, isDocumented);
      return `  ${isDocumented ? comment : ''}readonly '${method.toUpperCase()} ${path}': ${type};`;
    }),
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

/** Operations whose answers are text: `METHOD /path`. */
export function listTextOperations({ paths }: OpenApi): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { responses } = operation as unknown as DocumentedCall;
      return isText(successContent(responses)) ? [`${method.toUpperCase()} ${path}`] : [];
    }),
  );
}

/** Answers with content, none of which is JSON or a stream of events. */
const isText = (content: Content | undefined): boolean =>
  content !== undefined &&
  jsonSchema(content) === undefined &&
  Object.keys(content).some((type) => type !== EVENT_STREAM);

const EVENT_STREAM = 'text/event-stream';

const successContent = (responses: DocumentedCall['responses']): Content | undefined =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;

/** A field can have the name `description`; then its value is a schema. */
const withoutDescriptions = (document: OpenApi): OpenApi =>
  JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );

const commentOf = (text: string | undefined, separator = ' '): string =>
  text === undefined
    ? ''
    : `/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */${separator}`;

function operationType(call: DocumentedCall, isDocumented: boolean): string {
  const { parameters = [], requestBody, responses } = call;
  const path = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const content = successContent(responses);
  const body = jsonSchema(requestBody?.content);
  const response = jsonSchema(content);
  const other = isDocumented && isText(content) ? 'string' : 'unknown';
  return objectType([
    ['path', parameterType(path), true],
    ['query', parameterType(query), true],
    ['body', body === undefined ? 'undefined' : typeOf(body), true],
    ['response', response === undefined ? other : typeOf(response), true],
  ]);
}

const jsonSchema = (content: Content | undefined): Schema | undefined =>
  content?.['application/json']?.schema;

const parameterType = (parameters: readonly Parameter[]): string =>
  parameters.length === 0
    ? 'Readonly<Record<never, never>>'
    : objectType(
        parameters.map(({ name, schema, required, description }) => [
          name,
          typeOf(schema),
          required === true,
          description ?? schema.description,
        ]),
      );

type Property = readonly [
  name: string,
  type: string,
  isRequired: boolean,
  description?: string | undefined,
];

const objectType = (properties: readonly Property[]): string =>
  `{ ${properties.map(propertyText).join(' ')} }`;

const propertyText = ([name, type, isRequired, description]: Property): string =>
  `${commentOf(description)}readonly ${keyOf(name)}${isRequired ? '' : '?'}: ${type};`;

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

function objectSchemaType({ properties, required = [], ...others }: Schema): string {
  if (properties !== undefined) {
    const rows = Object.entries(properties).map(
      ([name, schema]): Property => [
        name,
        typeOf(schema),
        required.includes(name),
        schema.description,
      ],
    );
    return objectType(rows);
  }
  return `Readonly<Record<string, ${valueType(others)}>>`;
}

/** The type of all values of a record. */
function valueType({ additionalProperties, patternProperties = {} }: Schema): string {
  const types = new Set(Object.values(patternProperties).map(typeOf));
  if (typeof additionalProperties === 'object') types.add(typeOf(additionalProperties));
  return types.size === 0 ? 'unknown' : [...types].join(' | ');
}
