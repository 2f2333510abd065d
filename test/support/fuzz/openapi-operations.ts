/** A JSON schema as far as generated values need it. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
};

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: JsonSchema;
};

type OperationObject = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly security?: unknown;
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};

export type Operation = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With parameters in braces. */
  readonly template: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  readonly needsKey: boolean;
  /** The media type of each documented status; undefined for one without a body. */
  readonly statuses: ReadonlyMap<number, string | undefined>;
};

const METHODS: Readonly<Record<string, Operation['method']>> = { post: 'POST', delete: 'DELETE' };

/** All but those whose response does not end. */
export function listOperations({ paths }: OpenApiDocument): Operation[] {
  const all = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: METHODS[method] ?? 'GET',
      template,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json']?.schema,
      needsKey: operation.security !== undefined,
      statuses: new Map(
        Object.entries(operation.responses).map(([status, { content = {} }]) => [
          Number(status),
          Object.keys(content)[0],
        ]),
      ),
    })),
  );
  return all.filter(({ statuses }) => statuses.get(200) !== 'text/event-stream');
}

/** Follows references to components. */
export function resolveSchema(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const target = document.components.schemas[name];
  if (target === undefined) throw new Error(`no schema ${name}`);
  return resolveSchema(target, document);
}
