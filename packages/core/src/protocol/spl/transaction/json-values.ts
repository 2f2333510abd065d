import { type Address, parseAddress } from '../../../base/encoding/address.ts';
import { CodedError } from '../../../base/errors.ts';

export type JsonObject = { readonly [key: string]: unknown };

const DIGITS = /^(?:0|[1-9]\d{0,19})$/;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `path` names the value in errors, such as `meta.fee`. */
export function toJsonObject(value: unknown, path: string): JsonObject {
  if (!isJsonObject(value)) throw malformedTransaction(`${path} is not an object`);
  return value;
}

export function toJsonArray(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformedTransaction(`${path} is not an array`);
  return value;
}

export function toJsonString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw malformedTransaction(`${path} is not a string`);
  return value;
}

/** Accepts a JSON number or a string of digits because nodes use both for large numbers. */
export function toJsonInteger(value: unknown, path: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && DIGITS.test(value)) return BigInt(value);
  throw malformedTransaction(`${path} is not an integer`);
}

/** An integer below `limit`. */
export function toJsonIndex(value: unknown, limit: number, path: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < limit) {
    return value;
  }
  throw malformedTransaction(`${path} is not an integer below ${limit}`);
}

export function toJsonAddress(value: unknown, path: string): Address {
  const address = parseAddress(toJsonString(value, path));
  if (address === undefined) throw malformedTransaction(`${path} is not an address`);
  return address;
}

/** Whether a JSON value is null or omitted. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export function malformedTransaction(reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: 'transaction', reason });
}
