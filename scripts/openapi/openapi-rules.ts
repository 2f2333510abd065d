import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from './served-document.ts';

type Json = Readonly<Record<string, unknown>>;
type Operation = { readonly path: string; readonly method: string; readonly value: Json };

/** Checks an OpenAPI document. Returns one line per problem. */
export function checkOpenApi(document: OpenApi): string[] {
  const operations = listOperations(document);
  const { absent, unused } = checkReferences(document);
  if (absent.length > 0) return absent;
  const validate = createExampleValidator(document);
  return [
    ...repeated(operations.map(({ value }) => String(value['operationId']))),
    ...operations.flatMap((operation) => checkOperation(operation, document)),
    ...operations.flatMap(checkParameters),
    ...operations.flatMap((operation) => checkExamples(operation, validate)),
    ...listFields(document).flatMap(([path, field]) =>
      isText(field['description']) ? [] : [`${path} has no description`],
    ),
    ...unused,
    ...unusedTags(document, operations),
  ];
}

export function listOperations({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => ({ path, method, value })),
  );
}

const nameOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const entriesOf = (value: unknown): [string, Json][] =>
  isObject(value) ? (Object.entries(value) as [string, Json][]) : [];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function repeated(ids: readonly string[]): string[] {
  return ids
    .filter((id, index) => ids.indexOf(id) !== index)
    .map((id) => `the operationId ${id} is not unique`);
}

function checkOperation(operation: Operation, document: OpenApi): string[] {
  const { value } = operation;
  const name = nameOf(operation);
  const declared = document.tags.map((tag) => tag.name);
  const tags = listOf(value['tags']);
  const responses = entriesOf(value['responses']);
  const lacks = (digit: string) => !responses.some(([status]) => status.startsWith(digit));
  return [
    ...['operationId', 'summary', 'description'].flatMap((key) =>
      isText(value[key]) ? [] : [`${name} has no ${key}`],
    ),
    ...(tags.length === 0 ? [`${name} has no tag`] : []),
    ...tags.flatMap((tag) =>
      declared.includes(String(tag)) ? [] : [`${name} has the undeclared tag ${tag}`],
    ),
    ...['2', '4'].flatMap((digit) => (lacks(digit) ? [`${name} has no ${digit}xx response`] : [])),
    ...responses.flatMap(([status, response]) =>
      isText(response['description']) ? [] : [`${name} does not describe the status ${status}`],
    ),
  ];
}

function checkParameters(operation: Operation): string[] {
  const name = nameOf(operation);
  const parameters = listOf(operation.value['parameters']) as readonly Json[];
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
  const declared = parameters.filter((each) => each['in'] === 'path').map((each) => each['name']);
  return [
    ...inPath
      .filter((parameter) => !declared.includes(parameter))
      .map((parameter) => `${name} does not declare the path parameter ${parameter}`),
    ...declared
      .filter((parameter) => !inPath.includes(String(parameter)))
      .map((parameter) => `${name} declares ${parameter}, which is not in the path`),
    ...parameters.flatMap((each) => [
      ...(isText(each['description']) ? [] : [`${name} does not describe ${each['name']}`]),
      ...(isObject(each['schema']) ? [] : [`${name} has no schema of ${each['name']}`]),
    ]),
  ];
}

/** All properties of schemas, with their path. */
export function listFields(value: unknown, path = ''): [string, Json][] {
  if (Array.isArray(value)) return value.flatMap((item) => listFields(item, path));
  return entriesOf(value).flatMap(([key, inner]) => {
    if (key === 'example') return [];
    const isProperties = key === 'properties' && isObject(inner);
    const own = isProperties
      ? entriesOf(inner).map(([name, field]): [string, Json] => [`${path}/${name}`, field])
      : [];
    return [...own, ...listFields(inner, isProperties ? path : `${path}/${key}`)];
  });
}

type ExampleValidator = (pointer: readonly string[], example: unknown) => string;

/** Validates an example by the schema at a path of the document. Returns the errors. */
function createExampleValidator(document: OpenApi): ExampleValidator {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  return (pointer, example) => {
    const steps = pointer.map((step) => encodeURIComponent(step.replaceAll('/', '~1')));
    const isValid = ajv.compile({ $ref: `openapi#/${steps.join('/')}` });
    return isValid(example) ? '' : ajv.errorsText(isValid.errors);
  };
}

/** Request and successful response need an example that matches the schema. */
function checkExamples(operation: Operation, validate: ExampleValidator): string[] {
  const { path, method, value } = operation;
  const successes = entriesOf(value['responses']).filter(([status]) => status.startsWith('2'));
  const bodies: (readonly [readonly string[], Json])[] = [
    ...(isObject(value['requestBody']) ? [[['requestBody'], value['requestBody']] as const] : []),
    ...successes.map(([status, body]) => [['responses', status], body] as const),
  ];
  return bodies.flatMap(([where, body]) =>
    entriesOf(body['content']).flatMap(([type, media]) => {
      const what = `${nameOf(operation)} ${where.at(-1)}`;
      if (!('example' in media)) return [`${what} has no example`];
      const pointer = ['paths', path, method, ...where, 'content', type, 'schema'];
      const errors = validate(pointer, media['example']);
      return errors === '' ? [] : [`${what} has a wrong example: ${errors}`];
    }),
  );
}

/** References must exist, and each component must be used. */
function checkReferences({ components, ...document }: OpenApi) {
  const names = Object.keys(components.schemas);
  const referencesIn = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name ?? '',
    );
  const used = new Set<string>();
  const open = referencesIn(document);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    open.push(...referencesIn(components.schemas[name] ?? null));
  }
  const absent = [...used].filter((name) => !names.includes(name));
  const unused = names.filter((name) => !used.has(name));
  return {
    absent: absent.map((name) => `the component ${name} does not exist`),
    unused: unused.map((name) => `the component ${name} is not used`),
  };
}

function unusedTags({ tags }: OpenApi, operations: readonly Operation[]): string[] {
  const used = operations.flatMap(({ value }) => listOf(value['tags']));
  return tags
    .filter(({ name }) => !used.includes(name))
    .map(({ name }) => `the tag ${name} is not used`);
}
