import { el, lazyDetails, methodBadge, pathNodes } from './dom.js';
import { givenExample } from './example.js';
import { inlineProse, prose } from './markdown.js';
import { dereferenced, mediaOf, wordsOf } from './openapi.js';
import { factList, schemaNode, schemaTree, typeNode } from './schema.js';
import { deepFactsOf } from './schema-descriptions.js';
import { tryIt } from './try-it.js';

/** The part of an operation that is always there, so that the browser's search finds it. */
export const operationHead = (operation) => [
  el(
    'h3',
    {},
    operation.summary ?? operation.id,
    el(
      'a',
      { class: 'anchor', href: `#${operation.id}`, 'aria-label': `Link to ${operation.id}` },
      '#',
    ),
  ),
  el(
    'p',
    { class: 'request-line' },
    methodBadge(operation.method),
    el('code', { class: 'path' }, pathNodes(operation.path)),
  ),
  el(
    'p',
    { class: 'meta' },
    operation.summary && el('code', {}, operation.id),
    operation.weight !== undefined && el('span', {}, `Cost: ${operation.weight}`),
    operation.deprecated && el('strong', {}, 'Deprecated'),
  ),
];

const cell = (className, ...children) => el('td', { role: 'cell', class: className }, children);

const parameterWords = (parameter) => parameter.description ?? wordsOf(parameter.schema);

const parameterRow = (api, parameter, described) => {
  const schema = parameter.schema ?? mediaOf(parameter.content)?.schema ?? true;
  const words = parameterWords(parameter);
  return el(
    'tr',
    { role: 'row' },
    el(
      'th',
      { role: 'rowheader', scope: 'row' },
      el('code', { class: 'property' }, parameter.name),
      parameter.required && el('span', { class: 'required' }, 'required'),
      parameter.deprecated && el('span', { class: 'required' }, 'deprecated'),
    ),
    cell('place', parameter.in),
    cell('type-cell', typeNode(api, schema), factList(deepFactsOf(api, schema))),
    described && cell('words', words && inlineProse(words)),
  );
};

const parameterTable = (api, parameters) => {
  const described = parameters.some(parameterWords);
  const headings = ['Name', 'In', 'Type', ...(described ? ['Description'] : [])];
  const row = el(
    'tr',
    { role: 'row' },
    headings.map((heading) => el('th', { role: 'columnheader', scope: 'col' }, heading)),
  );
  return el(
    'table',
    { role: 'table', class: 'parameters' },
    el('thead', { role: 'rowgroup' }, row),
    el(
      'tbody',
      { role: 'rowgroup' },
      parameters.map((parameter) => parameterRow(api, parameter, described)),
    ),
  );
};

const exampleNode = (example) =>
  example !== undefined &&
  lazyDetails({
    className: 'example',
    summary: 'Example',
    build: () =>
      el(
        'pre',
        { tabindex: 0 },
        typeof example === 'string' ? example : JSON.stringify(example, null, 2),
      ),
  });

const contentNodes = (api, content, options) =>
  Object.entries(content ?? {}).map(([type, media]) => [
    el('p', { class: 'media-type' }, el('code', {}, type)),
    media.schema !== undefined && schemaTree(api, media.schema, options),
    exampleNode(givenExample(media)),
  ]);

const headerNodes = (api, headers) => {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return null;
  const rows = entries.map(([label, raw]) => {
    const { schema, description } = dereferenced(api, raw);
    return { label, required: true, raw: { ...schema, ...(description && { description }) } };
  });
  return [
    el('p', { class: 'media-type' }, 'Headers'),
    el(
      'ul',
      {},
      rows.map((row) => el('li', {}, schemaNode(api, row))),
    ),
  ];
};

const responseNode = (api, response) => {
  const line = [
    el('code', { class: 'status-code' }, response.status),
    el('span', { class: 'words' }, inlineProse(response.description ?? '')),
  ];
  const content = Object.keys(response.content ?? {}).length;
  const headers = Object.keys(response.headers ?? {}).length;
  if (content + headers === 0) return el('div', { class: 'response empty' }, line);
  return lazyDetails({
    className: 'response',
    summary: line,
    open: response.status.startsWith('2'),
    build: () => [headerNodes(api, response.headers), contentNodes(api, response.content)],
  });
};

const part = (title, ...children) => [el('h4', {}, title), ...children];

/** Everything of an operation below its head: the reference and, beside it, the form. */
export const operationBody = (api, base, operation) => {
  const { body, parameters, responses } = operation;
  return [
    el(
      'div',
      { class: 'reference' },
      prose(operation.description),
      parameters.length > 0 && part('Parameters', parameterTable(api, parameters)),
      body &&
        part(
          body.required ? 'Request body (required)' : 'Request body',
          prose(body.description),
          contentNodes(api, body.content, { sent: true }),
        ),
      part(
        'Responses',
        responses.map((response) => responseNode(api, response)),
      ),
    ),
    tryIt(api, base, operation),
  ];
};
