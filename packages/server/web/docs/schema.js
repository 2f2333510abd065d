import { el, lazyDetails } from './dom.js';
import { inlineProse } from './markdown.js';
import { mergeAllOf, resolve, wordsOf } from './openapi.js';
import { enumOf, factsOf, isMap, ownTypeParts, typeParts, unionOf } from './schema-descriptions.js';

const MAX_PEELS = 16;

const partNode = (part) =>
  typeof part === 'string' ? part : el('code', { class: 'component' }, part.name);

/** The type of a schema in words, led by the name of its component when it has one. */
export const typeNode = (api, raw) => {
  const { value, name, missing } = resolve(api, raw);
  const parts = typeParts(api, raw);
  const kind = name && !missing ? ownTypeParts(api, value) : [];
  return el(
    'span',
    { class: 'type' },
    parts.map(partNode),
    kind.length > 0 && el('span', { class: 'kind' }, ' \u00b7 ', kind.map(partNode)),
  );
};

const factNode = ({ label, values }) =>
  el(
    'span',
    { class: 'fact' },
    label,
    values.map((value) => [' ', el('code', {}, value)]),
  );

export const factList = (facts) =>
  facts.length > 0 && el('span', { class: 'facts' }, facts.map(factNode));

const isNull = (api, raw) => {
  const { value } = resolve(api, raw);
  return value?.type === 'null' || value?.const === null;
};

const realMembers = (api, schema) =>
  enumOf(api, schema) ? [] : (unionOf(schema) ?? []).filter((member) => !isNull(api, member));

/** What stands inside an array, a map, or "this or null"; undefined for everything else. */
const insideOf = (api, schema) => {
  const members = realMembers(api, schema);
  if (members.length === 1) return members[0];
  if (schema.items && !schema.prefixItems) return schema.items;
  return isMap(schema) ? schema.additionalProperties : undefined;
};

/**
 * Steps through arrays, maps and nullable unions to the schema that has the properties, so that
 * opening "array of X" shows X at once. Levels carry what each step has to say.
 */
const peel = (api, raw) => {
  const levels = [];
  let next = raw;
  while (next !== undefined && levels.length < MAX_PEELS) {
    const { value, name } = resolve(api, next);
    const schema = mergeAllOf(api, value);
    if (schema === null || typeof schema !== 'object') break;
    levels.push({ schema, name, facts: factsOf(api, schema), words: wordsOf(schema) });
    next = insideOf(api, schema);
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
  const word = schema.oneOf ? 'exactly one' : 'either';
  return members.map((raw, index) => ({ aside: index === 0 ? word : 'or', raw }));
};

const rowsOf = (api, schema) => [
  ...propertyRows(schema),
  ...memberRows(api, schema),
  ...(schema.prefixItems ?? []).map((raw, index) => ({ aside: `item ${index + 1}`, raw })),
];

const saysMore = (level) => level.facts.length > 0 || Boolean(level.words);

const plainMember = (api, row) => {
  const levels = peel(api, row.raw);
  return !row.label && levels.every((level) => !level.name && !saysMore(level));
};

/** What a row shows when opened, and whether there is anything to show. */
const contentOf = (api, row, { trail, sent }) => {
  const levels = peel(api, row.raw);
  const names = levels.flatMap((level) => level.name ?? []);
  const inner = levels.at(-1)?.schema ?? {};
  const rows = rowsOf(api, inner);
  const recursive = rows.length > 0 && names.some((name) => trail.includes(name));
  const hidden = levels.filter((level, index) => (index > 0 || level.name) && saysMore(level));
  const plain = rows.every((child) => plainMember(api, child));
  return {
    first: levels[0]?.name ? undefined : levels[0],
    hidden: recursive ? [] : hidden,
    rows: recursive || plain ? [] : rows,
    recursive,
    sent,
    trail: [...trail, ...names],
  };
};

const presenceOf = (row, sent) => {
  if (row.label === undefined) return null;
  if (sent) return row.required && el('span', { class: 'required' }, 'required');
  return !row.required && el('span', { class: 'kind' }, 'may be absent');
};

const wordsNode = (words) => words && el('span', { class: 'words' }, inlineProse(words));

const lineOf = (api, row, content) =>
  el(
    'span',
    { class: 'line' },
    row.label !== undefined && el('code', { class: 'property' }, row.label),
    row.aside && el('span', { class: 'aside' }, row.aside),
    el(
      'span',
      { class: 'what' },
      typeNode(api, row.raw),
      presenceOf(row, content.sent),
      content.recursive && el('span', { class: 'kind' }, 'recursive, described above'),
      factList(content.first?.facts ?? []),
      wordsNode(resolve(api, row.raw).note ?? content.first?.words),
    ),
  );

const bodyOf = (api, content) =>
  el(
    'div',
    { class: 'node-body' },
    content.hidden.map((level) => [wordsNode(level.words), factList(level.facts)]),
    content.rows.length > 0 &&
      el(
        'ul',
        {},
        content.rows.map((row) => el('li', {}, schemaNode(api, row, content))),
      ),
  );

/** One row: a leaf when it has nothing to open. `above` is what encloses it. */
export const schemaNode = (api, row, above = { trail: [] }) => {
  const content = contentOf(api, row, above);
  const summary = lineOf(api, row, content);
  if (content.hidden.length === 0 && content.rows.length === 0) {
    return el('div', { class: 'leaf' }, summary);
  }
  return lazyDetails({
    className: 'node',
    summary,
    open: row.open,
    build: () => bodyOf(api, content),
  });
};

/**
 * A schema as a tree whose first level is open. What is `sent` marks what is required; what is
 * received marks what may be absent.
 */
export const schemaTree = (api, raw, { sent = false } = {}) =>
  el('div', { class: 'schema' }, schemaNode(api, { raw, open: true }, { trail: [], sent }));
