import { CodedError } from '@tidegate/core/base';

type JsonRecord = { readonly [name: string]: unknown };

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function requireRecord(value: unknown, what: string): JsonRecord {
  if (isRecord(value)) return value;
  throw new CodedError('MALFORMED_DATA', { what, reason: 'it is not an object' });
}

export function requireArray(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new CodedError('MALFORMED_DATA', { what, reason: 'it is not a list' });
}
