import { type Address, CodedError, parseAddress } from '@tidegate/core/base';

/** Where in which document something stands. */
export type Place = { readonly source: string; readonly at: string };

type Fields = Readonly<Record<string, unknown>>;

export const fieldOf = ({ source, at }: Place, name: string): Place => ({
  source,
  at: at === '' ? name : `${at}.${name}`,
});

export const entryOf = ({ source, at }: Place, index: number): Place => ({
  source,
  at: `${at}[${index}]`,
});

export function objectOf(value: unknown, place: Place): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Fields;
  }
  throw refused(place, 'must be an object');
}

export function listOf(value: unknown, place: Place): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw refused(place, 'must be a list');
}

export function textOf(value: unknown, place: Place): string {
  if (typeof value === 'string') return value;
  throw refused(place, 'must be a text');
}

export function flagOf(value: unknown, place: Place): boolean {
  if (typeof value === 'boolean') return value;
  throw refused(place, 'must be true or false');
}

export function addressOf(value: unknown, place: Place): Address {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  if (address === undefined) throw refused(place, 'must be an address');
  return address;
}

export function refused({ source, at }: Place, reason: string): CodedError {
  const where = at === '' ? 'the document' : at;
  return new CodedError('INVALID_REGISTRY', { source, reason: `${where} ${reason}` });
}
