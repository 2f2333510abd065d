import { descriptionOf, mergeAllOf, resolve } from '../docs/openapi.js';
import {
  constraintsOf,
  enumOf,
  inlineTypeParts,
  isMap,
  typeParts,
  unionOf,
} from '../docs/schema-descriptions.js';
import { inlineMarkdown } from './markdown.js';
import { details, el } from './markup.js';

const MAX_LEVELS = 16;

const partNode = (part) =>
  typeof part === 'string' ? part : el('code', { class: 'component' }, part.name);

/** The type of a schema, after the name of its component if it has one. */
export const typeNode = (api, raw) => {
  const { value, name, missing } = resolve(api, raw);
  const parts = typeParts(api, raw);
  const kind = name && !missing ? inlineTypeParts(api, value) : [];
  return el(
    'span',
    { class: 'type' },
    parts.map(partNode),
    kind.length > 0 && el('span', { class: 'kind' }, ' \u00b7 ', kind.map(partNode)),
  );
};

const constraintNode = ({ label, values }) =>
  el(
    'span',
    { class: 'constraint' },
    label,
    values.map((value) => [' ', el('code', {}, value)]),
  );

export const constraintList = (constraints) =>
  constraints.length > 0 && el('span', { class: 'constraints' }, constraints.map(constraintNode));

const isNull = (api, raw) => {
  const { value } = resolve(api, raw);
  return value?.type === 'null' || value?.const === null;
};

const realMembers = (api, schema) =>
  enumOf(api, schema) ? [] : (unionOf(schema) ?? []).filter((member) => !isNull(api, member));

/** The inner schema of an array, a map or a nullable union; undefined for other schemas. */
const innerSchema = (api, schema) => {
  const members = realMembers(api, schema);
  if (members.length === 1) return members[0];
  if (schema.items && !schema.prefixItems) return schema.items;
  return isMap(schema) ? schema.additionalProperties : undefined;
};

/**
 * Unwraps arrays, maps and nullable unions down to the schema with the properties, so that opening
 * "array of X" shows X at once. Each level has the texts of one schema.
 */
const unwrap = (api, raw) => {
  const levels = [];
  let next = raw;
  while (next !== undefined && levels.length < MAX_LEVELS) {
    const { value, name } = resolve(api, next);
    const schema = mergeAllOf(api, value);
    if (schema === null || typeof schema !== 'object') break;
    levels.push({
      schema,
      name,
      constraints: constraintsOf(api, schema),
      description: descriptionOf(schema),
    });
    next = innerSchema(api, schema);
  }
  return levels;
};

const propertyRows = (schema) => {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(([label, raw]) => ({
    label,
    raw,
    required: required.has(label),
  }));
  const others = schema.additionalProperties;
  if (rows.length > 0 && others !== null && typeof others === 'object') {
    rows.push({ aside: 'any other name', raw: others });
  }
  return rows;
};

const memberRows = (api, schema) => {
  const members = realMembers(api, schema);
  if (members.length < 2) return [];
  const first = schema.oneOf ? 'exactly one' : 'either';
  return members.map((raw, index) => ({ aside: index === 0 ? first : 'or', raw }));
};

const rowsOf = (api, schema) => [
  ...propertyRows(schema),
  ...memberRows(api, schema),
  ...(schema.prefixItems ?? []).map((raw, index) => ({ aside: `item ${index + 1}`, raw })),
];

const hasText = (level) => level.constraints.length > 0 || Boolean(level.description);

const isPlainMember = (api, row) => {
  const levels = unwrap(api, row.raw);
  return !row.label && levels.every((level) => !level.name && !hasText(level));
};

/** The content of an opened row. */
const contentOf = (api, row, { trail, isRequest }) => {
  const levels = unwrap(api, row.raw);
  const names = levels.flatMap((level) => level.name ?? []);
  const inner = levels.at(-1)?.schema ?? {};
  const rows = rowsOf(api, inner);
  const isRecursive = rows.length > 0 && names.some((name) => trail.includes(name));
  const hidden = levels.filter((level, index) => (index > 0 || level.name) && hasText(level));
  const plain = rows.every((child) => isPlainMember(api, child));
  return {
    first: levels[0]?.name ? undefined : levels[0],
    hidden: isRecursive ? [] : hidden,
    rows: isRecursive || plain ? [] : rows,
    isRecursive,
    isRequest,
    trail: [...trail, ...names],
  };
};

const presenceOf = (row, isRequest) => {
  if (row.label === undefined) return null;
  if (isRequest) return row.required && el('span', { class: 'required' }, 'required');
  return !row.required && el('span', { class: 'kind' }, 'optional');
};

const descriptionNode = (text) =>
  text && el('span', { class: 'description' }, inlineMarkdown(text));

const lineOf = (api, row, content) =>
  el(
    'span',
    { class: 'line' },
    row.label !== undefined && el('code', { class: 'property' }, row.label),
    row.aside && el('span', { class: 'aside' }, row.aside),
    el(
      'span',
      { class: 'row-content' },
      typeNode(api, row.raw),
      presenceOf(row, content.isRequest),
      content.isRecursive && el('span', { class: 'kind' }, 'recursive, described above'),
      constraintList(content.first?.constraints ?? []),
      descriptionNode(resolve(api, row.raw).note ?? content.first?.description),
    ),
  );

const bodyOf = (api, content) =>
  el(
    'div',
    { class: 'node-body' },
    content.hidden.map((level) => [
      descriptionNode(level.description),
      constraintList(level.constraints),
    ]),
    content.rows.length > 0 &&
      el(
        'ul',
        {},
        content.rows.map((row) => el('li', {}, schemaNode(api, row, content))),
      ),
  );

/** One row of the tree, which is a leaf if it has no content. */
export const schemaNode = (api, row, parent = { trail: [] }) => {
  const content = contentOf(api, row, parent);
  const summary = lineOf(api, row, content);
  if (content.hidden.length === 0 && content.rows.length === 0) {
    return el('div', { class: 'leaf' }, summary);
  }
  const body = bodyOf(api, content);
  return details({ className: 'node', summary, open: row.open, content: body });
};

/**
 * A schema as a tree with an open first level. A request marks required properties, a response
 * marks optional ones.
 */
export const schemaTree = (api, raw, { isRequest = false } = {}) =>
  el('div', { class: 'schema' }, schemaNode(api, { raw, open: true }, { trail: [], isRequest }));
