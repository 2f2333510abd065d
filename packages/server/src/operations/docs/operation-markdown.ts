import { clientCallOf } from './client-call.ts';
import type { ApiDocument, DocumentedParameter, Json, ListedOperation } from './document.ts';
import { listSchemaFields, typeOf } from './schema-fields.ts';

/** Longer strings of a sample are shortened: base64 of accounts and transactions. */
const MAX_STRING = 160;

/** The reference of an operation as Markdown, with a command for the server at `url`. */
export function describeOperation(
  document: ApiDocument,
  operation: ListedOperation,
  url: string,
): string {
  const { summary, method, path, operationId, description, requestBody } = operation;
  const body = Object.values(requestBody?.content ?? {})[0];
  const [type = '', media] = Object.entries(operation.responses['200']?.content ?? {})[0] ?? [];
  return [
    `# ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    description ?? '',
    `Operation \`${operationId}\`. Cost: ${operation['x-rate-weight']} of the rate limit.`,
    aliasLine(operation),
    ...section('Parameters', parameterTable(document, operation.parameters ?? [])),
    ...section('Request body', body && fieldTable(document, body.schema)),
    ...section('Example', ['```sh', curlOf(operation, url), '```'].join('\n')),
    ...section('With @tidegate/client', ['```ts', clientCallOf(operation, url), '```'].join('\n')),
    ...section(`Answer (${type})`, media && fieldTable(document, media.schema)),
    ...section('Sample answer', sampleOf(media?.example)),
    ...section('Statuses', statusTable(operation)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

const aliasLine = ({ 'x-aliases': aliases = [] }: ListedOperation): string =>
  aliases.length === 0 ? '' : `Also served as ${aliases.map((path) => `\`${path}\``).join(', ')}.`;

const section = (title: string, text: string | undefined): string[] =>
  text ? [`## ${title}`, text] : [];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return rows.length === 0
    ? ''
    : [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const parameterTable = (
  document: ApiDocument,
  parameters: readonly DocumentedParameter[],
): string =>
  table(
    ['Name', 'In', 'Type', 'Description'],
    parameters.map((parameter) => [
      `\`${parameter.name}\`${parameter.required ? ' (required)' : ''}`,
      parameter.in,
      typeOf(parameter.schema, document),
      parameter.description ?? '',
    ]),
  );

const fieldTable = (document: ApiDocument, schema: Json): string =>
  table(
    ['Field', 'Type', 'Description'],
    listSchemaFields(document, schema).map(({ path, type, required, description }) => [
      `\`${path}\`${required ? '' : ' (optional)'}`,
      type,
      description,
    ]),
  );

const statusTable = ({ responses }: ListedOperation): string =>
  table(
    ['Status', 'Meaning'],
    Object.entries(responses).map(([status, { description }]) => [status, description]),
  );

/** A command that sends the example of an operation. */
export function curlOf(
  { method, path, parameters = [], requestBody }: ListedOperation,
  url: string,
): string {
  const exampleOf = (name: string) =>
    encodeURIComponent(parameters.find((each) => each.name === name)?.example ?? `{${name}}`);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name));
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${exampleOf(name)}`);
  const target = `'${url}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}'`;
  if (method === 'get') return `curl ${target}`;
  if (requestBody === undefined) return `curl -X ${method.toUpperCase()} ${target}`;
  const body = Object.values(requestBody.content)[0]?.example;
  return `curl ${target} \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`;
}

function sampleOf(example: unknown): string {
  if (example === undefined) return '';
  const language = typeof example === 'string' ? '' : 'json';
  return [`\`\`\`${language}`, sampleText(example), '```'].join('\n');
}

/** A recorded answer. Long strings are shortened. */
export function sampleText(example: unknown): string {
  if (typeof example === 'string') return example.trim();
  const shorten = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > MAX_STRING ? `${value.slice(0, 60)}…` : value;
  return JSON.stringify(example, shorten, 2);
}
