import { type Address, CodedError, parseAddress } from '@tidegate/core/base';

/** Where in which document something stands. */
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

export function readObjectField(value: unknown, place: DocumentPath): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Fields;
  }
  throw invalidField(place, 'must be an object');
}

export function readArrayField(value: unknown, place: DocumentPath): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw invalidField(place, 'must be a list');
}

export function readStringField(value: unknown, place: DocumentPath): string {
  if (typeof value === 'string') return value;
  throw invalidField(place, 'must be a text');
}

export function readBooleanField(value: unknown, place: DocumentPath): boolean {
  if (typeof value === 'boolean') return value;
  throw invalidField(place, 'must be true or false');
}

export function readAddressField(value: unknown, place: DocumentPath): Address {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  if (address === undefined) throw invalidField(place, 'must be an address');
  return address;
}

export function invalidField({ source, at }: DocumentPath, reason: string): CodedError {
  const where = at === '' ? 'the document' : at;
  return new CodedError('INVALID_REGISTRY', { source, reason: `${where} ${reason}` });
}
