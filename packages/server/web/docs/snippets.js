/** The API key is a variable, so that it is neither on the page nor in the clipboard. */
const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const curl = ({ method, url, headers, body, apiKey }) => {
  const parts = [`curl ${quote(url)}`];
  const implied = body === undefined ? 'GET' : 'POST';
  if (method === 'HEAD') parts.push('--head');
  else if (method !== implied) parts.push(`-X ${method}`);
  for (const [name, value] of headers) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (apiKey) parts.push('-H "x-api-key: $API_KEY"');
  if (body !== undefined) parts.push(`--data-raw ${quote(body)}`);
  return parts.join(' \\\n  ');
};

const parse = (text) => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

const indent = (text, by) => text.replaceAll('\n', `\n${by}`);

const headerLines = ({ headers, apiKey }, key) => [
  ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ...(apiKey ? [`"x-api-key": ${key},`] : []),
];

const typescriptOptions = (request) => {
  const { method, body } = request;
  const lines = headerLines(request, "process.env.API_KEY ?? ''");
  const json = body === undefined ? undefined : parse(body);
  const text = json
    ? `JSON.stringify(${indent(JSON.stringify(json.value, null, 2), '  ')})`
    : JSON.stringify(body);
  return [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(lines.length > 0 ? [`  headers: { ${lines.join(' ').replace(/,$/, '')} },`] : []),
    ...(body === undefined ? [] : [`  body: ${text},`]),
  ];
};

const typescript = (request) => {
  const options = typescriptOptions(request);
  const address = `'${request.url.replaceAll("'", '%27')}'`;
  const call = options.length === 0 ? address : `${address}, {\n${options.join('\n')}\n}`;
  const result = request.isJson ? 'json' : 'text';
  return [
    `const response = await fetch(${call});`,
    `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);`,
    `console.log(await response.${result}());`,
  ].join('\n');
};

const pythonValue = (value, by = '') => {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${by}    `;
  const items = Array.isArray(value)
    ? value.map((item) => pythonValue(item, inner))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}: ${pythonValue(item, inner)}`,
      );
  const [open, end] = Array.isArray(value) ? '[]' : '{}';
  return items.length === 0
    ? open + end
    : `${open}\n${items.map((item) => `${inner}${item},`).join('\n')}\n${by}${end}`;
};

const python = (request) => {
  const { url, method, body } = request;
  const json = body === undefined ? undefined : parse(body);
  const needsJson = request.isJson || json;
  const lines = headerLines(request, 'os.environ["API_KEY"]');
  const data = json
    ? `json.dumps(${pythonValue(json.value, '    ')}).encode()`
    : `${JSON.stringify(body)}.encode()`;
  return [
    ...(needsJson ? ['import json'] : []),
    ...(request.apiKey ? ['import os'] : []),
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    ...(body === undefined ? [] : [`    data=${data},`]),
    ...(lines.length > 0 ? [`    headers={${lines.join(' ').replace(/,$/, '')}},`] : []),
    ...(method === 'GET' || (method === 'POST' && body !== undefined)
      ? []
      : [`    method="${method}",`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    request.isJson ? '    print(json.load(response))' : '    print(response.read().decode())',
  ].join('\n');
};

/** A value as TypeScript. Keys that are names have no quotes. */
const typescriptValue = (value, by) =>
  indent(JSON.stringify(value, null, 2), by).replaceAll(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

const client = ({ method, template, base, path, query, body, apiKey }) => {
  const json = body === undefined ? undefined : parse(body);
  const text = json ? typescriptValue(json.value, '  ') : `JSON.parse(${JSON.stringify(body)})`;
  const parts = [
    ...(path ? [`  path: ${typescriptValue(path, '  ')},`] : []),
    ...(query ? [`  query: ${typescriptValue(query, '  ')},`] : []),
    ...(body === undefined ? [] : [`  body: ${text},`]),
  ];
  const options = parts.length > 0 ? `, {\n${parts.join('\n')}\n}` : '';
  const hasShortForm = method === 'GET' || method === 'POST';
  const call = hasShortForm
    ? `${method.toLowerCase()}('${template}'${options})`
    : `request('${method} ${template}'${options})`;
  const key = apiKey ? ', apiKey: process.env.API_KEY' : '';
  return [
    "import { createClient } from '@tidegate/client';",
    '',
    `const client = createClient({ baseUrl: '${base.replace(/\/$/, '')}'${key} });`,
    `const result = await client.${call};`,
    `if (!result.ok) throw new Error(\`\${result.error.code}: \${result.error.message}\`);`,
    'console.log(result.data);',
  ].join('\n');
};

/** Programs that send a request, by language. */
export const SNIPPETS = [
  ['curl', curl],
  ['Client', client],
  ['TypeScript', typescript],
  ['Python', python],
];
