import { CodedError, type Issue, parseAddress } from '@tidegate/core/base';
import type { TProperties, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { isAddressListSchema, isAddressSchema, isAmountSchema } from './schemas/primitives.ts';

type Values = Readonly<Record<string, unknown>>;
type Read = { readonly value: Values } | { readonly error: CodedError };
type Failure = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Values;
};

const WHOLE_NUMBER = /^-?(0|[1-9][0-9]*)$/;

/**
 * Path and query values arrive as text. A text becomes a number or a boolean only where it is the plain
 * form of one (`1e2`, `+1`, `0x10`, `01` are not); a name that is not declared is left out.
 */
export function createStringValidator(
  schema: TSchema,
  code: 'INVALID_PATH' | 'INVALID_QUERY',
): (input: Values) => Read {
  const properties = propertiesOf(schema);
  const check = issueFinder(schema, properties);
  return (input) => {
    const value: Record<string, unknown> = {};
    const repeated: Issue[] = [];
    for (const [name, property] of Object.entries(properties)) {
      const given = input[name];
      const type = 'type' in property ? property.type : undefined;
      if (Array.isArray(given) && type !== 'array') repeated.push(repeatedIssue(name));
      else if (given !== undefined) value[name] = fromText(given, type);
      else if ('default' in property) value[name] = property.default;
    }
    const issues = repeated.length > 0 ? repeated : check(value);
    return issues.length === 0 ? { value } : { error: new CodedError(code, { issues }) };
  };
}

/** A JSON body, which may be any JSON, is taken as typed: nothing is converted, and extra fields are ignored. */
export function createBodyValidator(schema: TSchema): (input: Values | null) => Read {
  const check = issueFinder(schema, propertiesOf(schema));
  return (value) => {
    const issues = check(value);
    return value !== null && issues.length === 0
      ? { value }
      : { error: new CodedError('INVALID_BODY', { issues }) };
  };
}

function fromText(given: unknown, type: unknown): unknown {
  if (type === 'array') return Array.isArray(given) ? given : [given];
  if (typeof given !== 'string') return given;
  if (type === 'integer' && WHOLE_NUMBER.test(given)) return Number(given);
  if (type === 'boolean' && (given === 'true' || given === 'false')) return given === 'true';
  return given;
}

/** One issue per field, the first that applies. */
function issueFinder(schema: TSchema, properties: TProperties): (value: Values | null) => Issue[] {
  const validator = Compile(schema);
  const names = Object.keys(properties);
  const addresses = names.filter((name) => isAddressSchema(properties[name] ?? {}));
  const lists = names.filter((name) => isAddressListSchema(properties[name] ?? {}));
  const amounts = names.filter((name) => isAmountSchema(properties[name] ?? {}));
  return (value) => {
    const issues = new Map<string, Issue>();
    const checkAddress = (at: string, text: unknown) => {
      if (text !== undefined && !isAddress(text)) issues.set(at, addressIssue(at));
    };
    if (!validator.Check(value)) {
      const isText = (name: string) => typeof value?.[name] === 'string';
      const readLater = new Set(amounts.filter(isText).map((name) => `/${name}`));
      for (const failure of validator.Errors(value)) {
        if (!readLater.has(failure.instancePath)) addIssues(issues, failure);
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
  const { code, says, more } = explain(failure);
  issues.set(at, { path: pathOf(at), code, message: `${labelOf(at)} ${says}`, ...more });
}

type Explanation = { readonly code: string; readonly says: string; readonly more?: Values };

function explain({ keyword, params }: Failure): Explanation {
  const { limit, type, allowedValues } = params;
  const unit = keyword.endsWith('Items') ? 'items' : 'characters';
  switch (keyword) {
    case 'type':
      return {
        code: 'invalid_type',
        says: `must be ${typeNames[String(type)] ?? String(type)}`,
        more: { expected: type },
      };
    case 'minimum':
      return { code: 'too_small', says: `must be at least ${limit}`, more: { minimum: limit } };
    case 'maximum':
      return { code: 'too_big', says: `must be at most ${limit}`, more: { maximum: limit } };
    case 'minLength':
    case 'minItems':
      return {
        code: 'too_small',
        says: Number(limit) === 1 ? 'must not be empty' : `must have ${limit} ${unit} or more`,
        more: { minimum: limit },
      };
    case 'maxLength':
    case 'maxItems':
      return {
        code: 'too_big',
        says: `must have ${limit} ${unit} or fewer`,
        more: { maximum: limit },
      };
    case 'enum':
      return {
        code: 'invalid_value',
        says: `must be one of ${listOf(allowedValues).join(', ')}`,
        more: { options: allowedValues },
      };
    case 'pattern':
      return { code: 'invalid_string', says: 'has the wrong form' };
    default:
      return { code: `invalid_${keyword}`, says: 'is not valid' };
  }
}

const typeNames: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  string: 'a text',
  object: 'an object',
  array: 'an array',
  'integer,string': 'a whole number, or one as text',
};

function repeatedIssue(name: string): Issue {
  return { path: [name], code: 'repeated', message: `${name} must be given once` };
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
