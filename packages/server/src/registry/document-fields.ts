import { type Address, CodedError, parseAddress } from '@tidegate/core/base';

/** The path of a field in a document, for error messages. */
export type DocumentPath = { readonly source: string; readonly at: string };

type Fields = Readonly<Record<string, unknown>>;

export const fieldPath = ({ source, at }: DocumentPath, name: string): DocumentPath => ({
  source,
  at: at === '' ? name : `${at}.${name}`,
});

export const entryPath = ({ source, at }: DocumentPath, index: number): DocumentPath => ({
  source,
  at: `${at}[${index}]`,
});

export function readObjectField(value: unknown, path: DocumentPath): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Fields;
  }
  throw invalidField(path, 'must be an object');
}

export function readArrayField(value: unknown, path: DocumentPath): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw invalidField(path, 'must be an array');
}

export function readStringField(value: unknown, path: DocumentPath): string {
  if (typeof value === 'string') return value;
  throw invalidField(path, 'must be a string');
}

export function readBooleanField(value: unknown, path: DocumentPath): boolean {
  if (typeof value === 'boolean') return value;
  throw invalidField(path, 'must be true or false');
}

export function readAddressField(value: unknown, path: DocumentPath): Address {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  if (address === undefined) throw invalidField(path, 'must be an address');
  return address;
}

export function invalidField({ source, at }: DocumentPath, reason: string): CodedError {
  const field = at === '' ? 'the document' : at;
  return new CodedError('INVALID_REGISTRY', { source, reason: `${field} ${reason}` });
}
