import { mergeAllOf, resolve } from './openapi.js';

const MAX_DEPTH = 6;

const typeOfValue = (value) => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

export const unionOf = (schema) => schema?.anyOf ?? schema?.oneOf;

/** The values of an `enum` or of a union of constants; undefined for other schemas. */
export const enumOf = (api, schema) => {
  if (Array.isArray(schema?.enum)) return schema.enum;
  const members = unionOf(schema)?.map((member) => resolve(api, member).value);
  const areConstants = members?.every(
    (member) => member !== null && Object.hasOwn(member, 'const'),
  );
  return areConstants ? members.map((member) => member.const) : undefined;
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

const join = (lists, separator) =>
  lists.flatMap((parts, index) => (index === 0 ? parts : [separator, ...parts]));

const parenthesize = (parts) => (parts.includes(' or ') ? ['(', ...parts, ')'] : parts);

const partsOfType = (api, schema, type) => {
  if (type === 'array' && schema.prefixItems) {
    const members = schema.prefixItems.map((item) => typeParts(api, item));
    return ['list of ', ...join(members, ', ')];
  }
  if (type === 'array') return ['array of ', ...parenthesize(typeParts(api, schema.items ?? true))];
  if (type === 'object' && isMap(schema)) {
    return ['map of string to ', ...parenthesize(typeParts(api, schema.additionalProperties))];
  }
  const detail = schema.format ?? schema.contentEncoding;
  return [detail && type !== 'null' ? `${type} (${detail})` : type];
};

/** The type of a resolved schema as text parts. A part that is an object names a component. */
export const inlineTypeParts = (api, schema) => {
  if (schema === false) return ['nothing'];
  if (schema === null || typeof schema !== 'object') return ['any value'];
  if (Object.hasOwn(schema, 'const')) return [`always ${JSON.stringify(schema.const)}`];
  const union = enumOf(api, schema) ? undefined : unionOf(schema);
  if (union) {
    return join(
      union.map((member) => typeParts(api, member)),
      ' or ',
    );
  }
  if (schema.allOf) {
    return join(
      schema.allOf.map((member) => typeParts(api, member)),
      ' and ',
    );
  }
  return join(
    typesOf(api, schema).map((type) => partsOfType(api, schema, type)),
    ' or ',
  );
};

/** Like `inlineTypeParts`, but a referenced component is named instead of described. */
export const typeParts = (api, raw) => {
  const { value, name, missing } = resolve(api, raw);
  if (missing) return [{ name }, ' (does not resolve)'];
  return name ? [{ name }] : inlineTypeParts(api, value);
};

const range = (label, low, high) => {
  if (low === undefined && high === undefined) return [];
  if (low === high) return [{ label, values: [low] }];
  if (high === undefined) return [{ label: `${label} at least`, values: [low] }];
  if (low === undefined) return [{ label: `${label} at most`, values: [high] }];
  return [{ label, values: [`${low} to ${high}`] }];
};

const VALUE_CONSTRAINTS = [
  ['minimum', 'min'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'max'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'multiple of'],
  ['pattern', 'pattern'],
  ['contentMediaType', 'media type'],
  ['default', 'default'],
];

const FLAG_CONSTRAINTS = [
  ['uniqueItems', 'unique items'],
  ['readOnly', 'read only'],
  ['writeOnly', 'write only'],
  ['deprecated', 'deprecated'],
];

export const formatValue = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

const valueConstraints = (schema) =>
  VALUE_CONSTRAINTS.filter(([key]) => schema[key] !== undefined).map(([key, label]) => ({
    label,
    values: [formatValue(schema[key])],
  }));

const objectConstraints = (schema) => [
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

const listConstraint = (label, values) =>
  values?.length ? [{ label, values: values.map(formatValue) }] : [];

/** The constraints of one resolved schema: labels with values. */
export const constraintsOf = (api, schema) => {
  if (schema === null || typeof schema !== 'object') return [];
  return [
    ...listConstraint('one of', enumOf(api, schema)),
    ...listConstraint('known values', schema['x-known-values']),
    ...range('length', schema.minLength, schema.maxLength),
    ...range('items', schema.minItems, schema.maxItems),
    ...valueConstraints(schema),
    ...objectConstraints(schema),
    ...FLAG_CONSTRAINTS.filter(([key]) => schema[key] === true).map(([, label]) => ({
      label,
      values: [],
    })),
    ...listConstraint('for example', schema.examples),
  ];
};

const innerSchemas = (api, schema) => [
  ...((enumOf(api, schema) ? undefined : unionOf(schema)) ?? []),
  ...(schema.items ? [schema.items] : []),
];

/** The distinct constraints of a schema, its union members and its array items. */
export const nestedConstraintsOf = (api, raw, depth = 0) => {
  const value = mergeAllOf(api, resolve(api, raw).value);
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return [];
  const inner = innerSchemas(api, value).flatMap((part) =>
    nestedConstraintsOf(api, part, depth + 1),
  );
  const byText = new Map(
    [...constraintsOf(api, value), ...inner].map((constraint) => [
      JSON.stringify(constraint),
      constraint,
    ]),
  );
  return [...byText.values()];
};
