import { type Issue, parseAddress } from '@tidegate/core/base';
import type { TProperties, TSchema } from 'typebox';
import { CodedError } from '../errors.ts';
import { validatorOf } from './schemas/compiled-schemas.ts';
import { isAddressListSchema, isAddressSchema, isAmountSchema } from './schemas/primitives.ts';

type Values = Readonly<Record<string, unknown>>;
type ValidationResult = { readonly value: Values } | { readonly error: CodedError };
type Failure = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Values;
};

const WHOLE_NUMBER = /^-?(0|[1-9][0-9]*)$/;

/**
 * Validates path or query parameters. Converts strings to numbers and booleans in plain notation only (not `1e2`, `+1`,
 * `0x10`, `01`). Drops undeclared parameters.
 */
export function createStringValidator(
  schema: TSchema,
  code: 'INVALID_PATH' | 'INVALID_QUERY',
): (input: Values) => ValidationResult {
  const properties = propertiesOf(schema);
  const findIssues = createIssueFinder(schema, properties);
  return (input) => {
    const value: Record<string, unknown> = {};
    const repeated: Issue[] = [];
    for (const [name, property] of Object.entries(properties)) {
      const raw = input[name];
      const type = 'type' in property ? property.type : undefined;
      if (Array.isArray(raw) && type !== 'array') repeated.push(repeatedIssue(name));
      else if (raw !== undefined) value[name] = convert(raw, type);
      else if ('default' in property) value[name] = property.default;
    }
    const issues = repeated.length > 0 ? repeated : findIssues(value);
    if (issues.length === 0) issues.push(...emptyIssues(value));
    return issues.length === 0 ? { value } : { error: new CodedError(code, { issues }) };
  };
}

/** Validates a JSON body. Converts nothing and ignores extra fields. */
export function createBodyValidator(schema: TSchema): (input: Values | null) => ValidationResult {
  const findIssues = createIssueFinder(schema, propertiesOf(schema));
  return (value) => {
    const issues = findIssues(value);
    return value !== null && issues.length === 0
      ? { value }
      : { error: new CodedError('INVALID_BODY', { issues }) };
  };
}

function convert(raw: unknown, type: unknown): unknown {
  if (type === 'array') return Array.isArray(raw) ? raw : [raw];
  if (typeof raw !== 'string') return raw;
  if (type === 'integer' && WHOLE_NUMBER.test(raw)) return Number(raw);
  if (type === 'boolean' && (raw === 'true' || raw === 'false')) return raw === 'true';
  return raw;
}

/** Reports the first issue of each field. */
function createIssueFinder(
  schema: TSchema,
  properties: TProperties,
): (value: Values | null) => Issue[] {
  const names = Object.keys(properties);
  const addresses = names.filter((name) => isAddressSchema(properties[name] ?? {}));
  const lists = names.filter((name) => isAddressListSchema(properties[name] ?? {}));
  const amounts = names.filter((name) => isAmountSchema(properties[name] ?? {}));
  return (value) => {
    const validator = validatorOf(schema);
    const issues = new Map<string, Issue>();
    const checkAddress = (at: string, text: unknown) => {
      if (text !== undefined && !isAddress(text)) issues.set(at, addressIssue(at));
    };
    if (!validator.Check(value)) {
      // Amounts are parsed by the builder, which knows the decimals of the token.
      const isString = (name: string) => typeof value?.[name] === 'string';
      const parsedLater = new Set(amounts.filter(isString).map((name) => `/${name}`));
      for (const failure of validator.Errors(value)) {
        if (!parsedLater.has(failure.instancePath)) addIssues(issues, failure);
      }
    }
    for (const name of addresses) checkAddress(`/${name}`, value?.[name]);
    for (const name of lists) {
      for (const [i, text] of listOf(value?.[name]).entries()) checkAddress(`/${name}/${i}`, text);
    }
    return [...issues.values()];
  };
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && parseAddress(value) !== undefined;
}

function addIssues(issues: Map<string, Issue>, failure: Failure): void {
  if (failure.keyword === 'required') {
    for (const name of listOf(failure.params['requiredProperties'])) {
      const at = `${failure.instancePath}/${name}`;
      const message = `${labelOf(at)} is required`;
      if (!issues.has(at)) issues.set(at, { path: pathOf(at), code: 'required', message });
    }
    return;
  }
  const at = failure.instancePath;
  if (issues.has(at)) return;
  const { code, predicate, details } = explain(failure);
  issues.set(at, { path: pathOf(at), code, message: `${labelOf(at)} ${predicate}`, ...details });
}

type Explanation = { readonly code: string; readonly predicate: string; readonly details?: Values };

function explain({ keyword, params }: Failure): Explanation {
  const { limit, type, allowedValues } = params;
  const unit = keyword.endsWith('Items') ? 'items' : 'characters';
  switch (keyword) {
    case 'type':
      return {
        code: 'invalid_type',
        predicate: `must be ${typeNames[String(type)] ?? String(type)}`,
        details: { expected: type },
      };
    case 'minimum':
      return {
        code: 'too_small',
        predicate: `must be at least ${limit}`,
        details: { minimum: limit },
      };
    case 'maximum':
      return {
        code: 'too_big',
        predicate: `must be at most ${limit}`,
        details: { maximum: limit },
      };
    case 'minLength':
    case 'minItems':
      return {
        code: 'too_small',
        predicate:
          Number(limit) === 1 ? 'must not be empty' : `must have at least ${limit} ${unit}`,
        details: { minimum: limit },
      };
    case 'maxLength':
    case 'maxItems':
      return {
        code: 'too_big',
        predicate: `must have at most ${limit} ${unit}`,
        details: { maximum: limit },
      };
    case 'enum':
      return {
        code: 'invalid_value',
        predicate: `must be one of ${listOf(allowedValues).join(', ')}`,
        details: { options: allowedValues },
      };
    case 'pattern':
      return { code: 'invalid_string', predicate: 'has an invalid format' };
    default:
      return { code: `invalid_${keyword}`, predicate: 'is invalid' };
  }
}

const typeNames: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  string: 'a string',
  object: 'an object',
  array: 'an array',
  'integer,string': 'an integer or a string of digits',
};

function repeatedIssue(name: string): Issue {
  return { path: [name], code: 'repeated', message: `${name} must not be repeated` };
}

/** For schemas that allow any string. An empty parameter is a mistake of the client, never a default. */
function emptyIssues(value: Values): Issue[] {
  const names = Object.keys(value).filter((name) => value[name] === '');
  return names.map((name) => {
    const message = `${name} must not be empty`;
    return { path: [name], code: 'too_small', message, minimum: 1 };
  });
}

function addressIssue(at: string): Issue {
  const message = `${labelOf(at)} must be a base58 address of 32 bytes`;
  return { path: pathOf(at), code: 'invalid_address', message };
}

function propertiesOf(schema: TSchema): TProperties {
  return 'properties' in schema ? (schema.properties as TProperties) : {};
}

function pathOf(pointer: string): (string | number)[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : unescapePointer(part)));
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function labelOf(pointer: string): string {
  return pathOf(pointer).join('.') || 'the body';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
