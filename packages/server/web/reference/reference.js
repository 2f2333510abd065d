import { dereference, descriptionOf, mediaOf, operationsOf } from '../docs/openapi.js';
import { nestedConstraintsOf } from '../docs/schema-descriptions.js';
import { inlineMarkdown, markdown } from './markdown.js';
import { details, el, htmlOf } from './markup.js';
import { constraintList, schemaNode, schemaTree, typeNode } from './schema.js';

const cell = (className, ...children) => el('td', { role: 'cell', class: className }, children);

const parameterDescription = (parameter) =>
  parameter.description ?? descriptionOf(parameter.schema);

const parameterRow = (api, parameter, hasDescriptions) => {
  const schema = parameter.schema ?? mediaOf(parameter.content)?.schema ?? true;
  const description = parameterDescription(parameter);
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
    cell('location', parameter.in),
    cell('type-cell', typeNode(api, schema), constraintList(nestedConstraintsOf(api, schema))),
    hasDescriptions && cell('description', description && inlineMarkdown(description)),
  );
};

const parameterTable = (api, parameters) => {
  const hasDescriptions = parameters.some(parameterDescription);
  const headings = ['Name', 'In', 'Type', ...(hasDescriptions ? ['Description'] : [])];
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
      parameters.map((parameter) => parameterRow(api, parameter, hasDescriptions)),
    ),
  );
};

const contentNodes = (api, content, options) =>
  Object.entries(content ?? {}).map(([type, media]) => [
    el('p', { class: 'media-type' }, el('code', {}, type)),
    media.schema !== undefined && schemaTree(api, media.schema, options),
  ]);

const headerNodes = (api, headers) => {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return null;
  const rows = entries.map(([label, raw]) => {
    const { schema, description } = dereference(api, raw);
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
    el('span', { class: 'description' }, inlineMarkdown(response.description ?? '')),
  ];
  const content = Object.keys(response.content ?? {}).length;
  const headers = Object.keys(response.headers ?? {}).length;
  if (content + headers === 0) return el('div', { class: 'response empty' }, line);
  return details({
    className: 'response',
    summary: line,
    open: response.status.startsWith('2'),
    content: [contentNodes(api, response.content), headerNodes(api, response.headers)],
  });
};

const part = (title, ...children) => [el('h2', {}, title), ...children];

/** The reference of an operation: parameters, body and answers. Nothing of it needs a script. */
export const referenceHtml = (api, operationId) => {
  const { body, parameters, responses } = operationsOf(api).find(({ id }) => id === operationId);
  const reference = el(
    'div',
    { class: 'reference' },
    parameters.length > 0 && part('Parameters', parameterTable(api, parameters)),
    body &&
      part(
        body.required ? 'Request body (required)' : 'Request body',
        markdown(body.description),
        contentNodes(api, body.content, { isRequest: true }),
      ),
    part(
      'Answers',
      responses.map((response) => responseNode(api, response)),
    ),
  );
  return htmlOf(reference);
};
