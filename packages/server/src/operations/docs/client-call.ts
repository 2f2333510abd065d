import type { DocumentedParameter, ListedOperation } from './document.ts';

/** A program that sends the example of an operation with the client of the API. */
export function clientCallOf(operation: ListedOperation, url: string): string {
  const { method, path, parameters = [], requestBody } = operation;
  const body = Object.values(requestBody?.content ?? {})[0]?.example;
  const parts = [
    ...argumentLines('path', examplesOf(parameters, 'path')),
    ...argumentLines('query', examplesOf(parameters, 'query')),
    ...argumentLines('body', body),
  ];
  const options = parts.length > 0 ? `, {\n${parts.join('\n')}\n}` : '';
  const call =
    method === 'get' || method === 'post'
      ? `${method}('${path}'${options})`
      : `request('${method.toUpperCase()} ${path}'${options})`;
  return [
    "import { createClient } from '@tidegate/client';",
    '',
    `const client = createClient({ baseUrl: '${url}' });`,
    `const result = await client.${call};`,
    `if (!result.ok) throw new Error(\`\${result.error.code}: \${result.error.message}\`);`,
    'console.log(result.data);',
  ].join('\n');
}

/** Examples of the parameters that a call must have. */
function examplesOf(parameters: readonly DocumentedParameter[], location: string): unknown {
  const required = parameters.filter((each) => each.in === location && each.required);
  if (required.length === 0) return undefined;
  return Object.fromEntries(required.map(({ name, example }) => [name, example ?? `{${name}}`]));
}

const argumentLines = (name: string, value: unknown): string[] =>
  value === undefined ? [] : [`  ${name}: ${typescriptValue(value)},`];

/** Keys that are names have no quotes. */
const typescriptValue = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll('\n', '\n  ')
    .replaceAll(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');
