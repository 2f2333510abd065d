import { mergeAllOf, resolve } from './openapi.js';

const MAX_DEPTH = 6;

const typeOfValue = (value) => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

export const unionOf = (schema) => schema?.anyOf ?? schema?.oneOf;

/** The closed list of values a schema allows, whether as `enum` or as a union of constants. */
export const enumOf = (api, schema) => {
  if (Array.isArray(schema?.enum)) return schema.enum;
  const members = unionOf(schema)?.map((member) => resolve(api, member).value);
  const closed = members?.every((member) => member !== null && Object.hasOwn(member, 'const'));
  return closed ? members.map((member) => member.const) : undefined;
};

const typesOf = (api, schema) => {
  if (schema.type !== undefined) return [schema.type].flat();
  const values = enumOf(api, schema);
  if (values) return [...new Set(values.map(typeOfValue))];
  if (schema.properties || schema.additionalProperties) return ['object'];
  if (schema.items || schema.prefixItems) return ['array'];
  return ['any value'];
};

export const isMap = (schema) =>
  typeof schema?.additionalProperties === 'object' &&
  Object.keys(schema.properties ?? {}).length === 0;

const joined = (lists, word) =>
  lists.flatMap((parts, index) => (index === 0 ? parts : [word, ...parts]));

const grouped = (parts) => (parts.includes(' or ') ? ['(', ...parts, ')'] : parts);

const partsOfType = (api, schema, type) => {
  if (type === 'array' && schema.prefixItems) {
    const members = schema.prefixItems.map((item) => typeParts(api, item));
    return ['list of ', ...joined(members, ', ')];
  }
  if (type === 'array') return ['array of ', ...grouped(typeParts(api, schema.items ?? true))];
  if (type === 'object' && isMap(schema)) {
    return ['map of string to ', ...grouped(typeParts(api, schema.additionalProperties))];
  }
  const detail = schema.format ?? schema.contentEncoding;
  return [detail && type !== 'null' ? `${type} (${detail})` : type];
};

/** The type of a resolved schema in words; a part that is an object names a component. */
export const ownTypeParts = (api, schema) => {
  if (schema === false) return ['nothing'];
  if (schema === null || typeof schema !== 'object') return ['any value'];
  if (Object.hasOwn(schema, 'const')) return [`always ${JSON.stringify(schema.const)}`];
  const union = enumOf(api, schema) ? undefined : unionOf(schema);
  if (union) {
    return joined(
      union.map((member) => typeParts(api, member)),
      ' or ',
    );
  }
  if (schema.allOf) {
    return joined(
      schema.allOf.map((member) => typeParts(api, member)),
      ' and ',
    );
  }
  return joined(
    typesOf(api, schema).map((type) => partsOfType(api, schema, type)),
    ' or ',
  );
};

/** Like `ownTypeParts`, but a referenced component is named instead of described. */
export const typeParts = (api, raw) => {
  const { value, name, missing } = resolve(api, raw);
  if (missing) return [{ name }, ' (does not resolve)'];
  return name ? [{ name }] : ownTypeParts(api, value);
};

const range = (label, low, high) => {
  if (low === undefined && high === undefined) return [];
  if (low === high) return [{ label, values: [low] }];
  if (high === undefined) return [{ label: `${label} at least`, values: [low] }];
  if (low === undefined) return [{ label: `${label} at most`, values: [high] }];
  return [{ label, values: [`${low} to ${high}`] }];
};

const VALUE_FACTS = [
  ['minimum', 'min'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'max'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'multiple of'],
  ['pattern', 'pattern'],
  ['contentMediaType', 'media type'],
  ['default', 'default'],
];

const FLAG_FACTS = [
  ['uniqueItems', 'no item twice'],
  ['readOnly', 'read only'],
  ['writeOnly', 'write only'],
  ['deprecated', 'deprecated'],
];

export const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

const valueFacts = (schema) =>
  VALUE_FACTS.filter(([key]) => schema[key] !== undefined).map(([key, label]) => ({
    label,
    values: [shown(schema[key])],
  }));

const objectFacts = (schema) => [
  ...range('properties', schema.minProperties, schema.maxProperties),
  ...(schema.propertyNames?.pattern
    ? [{ label: 'names match', values: [schema.propertyNames.pattern] }]
    : []),
  ...(schema.additionalProperties === false && schema.properties
    ? [{ label: 'no other properties', values: [] }]
    : []),
  ...(schema.additionalProperties === true
    ? [{ label: 'other properties allowed', values: [] }]
    : []),
];

const listFact = (label, values) => (values?.length ? [{ label, values: values.map(shown) }] : []);

/** The constraints of one resolved schema: a label and the values that stand behind it. */
export const factsOf = (api, schema) => {
  if (schema === null || typeof schema !== 'object') return [];
  return [
    ...listFact('one of', enumOf(api, schema)),
    ...listFact('known values', schema['x-known-values']),
    ...range('length', schema.minLength, schema.maxLength),
    ...range('items', schema.minItems, schema.maxItems),
    ...valueFacts(schema),
    ...objectFacts(schema),
    ...FLAG_FACTS.filter(([key]) => schema[key] === true).map(([, label]) => ({
      label,
      values: [],
    })),
    ...listFact('for example', schema.examples),
  ];
};

const inside = (api, schema) => [
  ...((enumOf(api, schema) ? undefined : unionOf(schema)) ?? []),
  ...(schema.items ? [schema.items] : []),
];

/** The constraints of a schema and of what its unions and arrays hold, each once. */
export const deepFactsOf = (api, raw, depth = 0) => {
  const value = mergeAllOf(api, resolve(api, raw).value);
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return [];
  const inner = inside(api, value).flatMap((part) => deepFactsOf(api, part, depth + 1));
  const byText = new Map(
    [...factsOf(api, value), ...inner].map((fact) => [JSON.stringify(fact), fact]),
  );
  return [...byText.values()];
};
