import { type Address, parseAddress } from '../../../base/encoding/address.ts';
import { CodedError } from '../../../base/errors.ts';

export type JsonObject = { readonly [key: string]: unknown };

const DIGITS = /^(?:0|[1-9]\d{0,19})$/;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `place` is how an error names the value: `meta.fee`. */
export function toJsonObject(value: unknown, place: string): JsonObject {
  if (!isJsonObject(value)) throw malformedTransaction(`${place} is not an object`);
  return value;
}

export function toJsonArray(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformedTransaction(`${place} is not an array`);
  return value;
}

export function toJsonString(value: unknown, place: string): string {
  if (typeof value !== 'string') throw malformedTransaction(`${place} is not text`);
  return value;
}

/** A number of JSON, or digits: nodes and their clients write large numbers in either way. */
export function toJsonInteger(value: unknown, place: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && DIGITS.test(value)) return BigInt(value);
  throw malformedTransaction(`${place} is not a whole number`);
}

/** A whole number below `limit`. */
export function toJsonIndex(value: unknown, limit: number, place: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < limit) {
    return value;
  }
  throw malformedTransaction(`${place} is not a whole number below ${limit}`);
}

export function toJsonAddress(value: unknown, place: string): Address {
  const address = parseAddress(toJsonString(value, place));
  if (address === undefined) throw malformedTransaction(`${place} is not an address`);
  return address;
}

/** JSON writes what is not there as null, or leaves it out. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export function malformedTransaction(reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: 'transaction', reason });
}
