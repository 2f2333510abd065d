import { type Address, decodeBase58, parseAddress } from '@tidegate/core/base';
import { SIGNATURE_BYTES } from '@tidegate/core/protocol/spl/transaction';
import { hasCode } from '../errors/index.ts';
import { isObject, type JsonObject } from './json.ts';
import { invalidParam, invalidParams } from './rpc-errors.ts';

/** Longest base58 text of 32 bytes. */
const MAX_KEY_TEXT = 44;
const KEY_BYTES = 32;
/** Longest base58 text of 64 bytes. */
const MAX_SIGNATURE_TEXT = 88;

/** Positional arguments. Checks their number first, as nodes do. */
export function readArguments(
  params: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): readonly unknown[] {
  if (params !== undefined && !Array.isArray(params)) {
    throw invalidParams('`params` should be an array');
  }
  const args: readonly unknown[] = params ?? [];
  if (max === 0 && args.length > 0) {
    throw invalidParams('Invalid parameters: No parameters were expected', JSON.stringify(args));
  }
  if (args.length < min) {
    throw invalidParams(`\`params\` should have at least ${min} argument(s)`);
  }
  if (args.length > max) {
    const reason = `Invalid parameters: Expected from ${min} to ${max} parameters.`;
    throw invalidParams(reason, `"Got: ${args.length}"`);
  }
  return args;
}

/** Null and undefined mean the defaults. */
export function readConfigParam(value: unknown, name: string): JsonObject {
  if (value === undefined || value === null) return {};
  return readObject(value, `struct ${name}`);
}

export function readObject(value: unknown, expected: string): JsonObject {
  if (isObject(value)) return value;
  throw wrongType(value, expected);
}

export function readString(value: unknown): string {
  if (typeof value === 'string') return value;
  throw wrongType(value, 'a string');
}

export function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw wrongType(value, 'a boolean');
}

/** An integer that a double represents exactly. */
export function readInteger(value: unknown, expected: 'u8' | 'u64' | 'usize'): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(value, expected);
  const max = expected === 'u8' ? 255 : Number.MAX_SAFE_INTEGER;
  if (value >= 0 && value <= max) return value;
  throw invalidParamsReason(`invalid value: integer \`${value}\`, expected ${expected}`);
}

export function readArray(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw wrongType(value, 'a sequence');
}

export function readEnum<const Value extends string>(
  value: unknown,
  values: readonly Value[],
): Value {
  const text = readString(value);
  const match = values.find((candidate) => candidate === text);
  if (match !== undefined) return match;
  const names = values.map((candidate) => `\`${candidate}\``).join(', ');
  throw invalidParamsReason(`unknown variant \`${text}\`, expected one of ${names}`);
}

/** For a member that may be absent or null. */
export function readOptional<Value>(
  value: unknown,
  read: (value: unknown) => Value,
): Value | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

export function requireField(object: JsonObject, name: string): unknown {
  const value = object[name];
  if (value === undefined) throw invalidParamsReason(`missing field \`${name}\``);
  return value;
}

export function readAddress(value: unknown): Address {
  const text = readString(value);
  const address = parseAddress(text);
  if (address === undefined) throw badKey(text);
  return address;
}

/** A hash, encoded like an address. */
export function readHash(value: unknown): string {
  const text = readString(value);
  if (parseAddress(text) === undefined) throw badKey(text);
  return text;
}

export function readSignature(value: unknown): string {
  const text = readString(value);
  if (!isSignature(text)) {
    throw badBase58(text, { maxText: MAX_SIGNATURE_TEXT, bytes: SIGNATURE_BYTES });
  }
  return text;
}

export const isSignature = (text: string): boolean =>
  text.length <= MAX_SIGNATURE_TEXT && decodeBase58(text)?.length === SIGNATURE_BYTES;

/** A value with several forms; nodes do not report which form failed. */
export function readVariant<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!hasCode(error, 'RPC_REFUSAL')) throw error;
    throw invalidParamsReason(`data did not match any variant of untagged enum ${name}`);
  }
}

export const invalidParamsReason = (reason: string) => invalidParams(`Invalid params: ${reason}.`);

const badKey = (text: string) => badBase58(text, { maxText: MAX_KEY_TEXT, bytes: KEY_BYTES });

function badBase58(
  text: string,
  expected: { readonly maxText: number; readonly bytes: number },
): ReturnType<typeof invalidParam> {
  if (text.length > expected.maxText) return invalidParam('WrongSize');
  const bytes = decodeBase58(text);
  if (bytes === undefined) return invalidParam('Invalid');
  return invalidParam(bytes.length === expected.bytes ? 'Invalid' : 'WrongSize');
}

function wrongType(value: unknown, expected: string) {
  return invalidParamsReason(`invalid type: ${describeType(value)}, expected ${expected}`);
}

/** Names a JSON type as the node's deserializer does. */
function describeType(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  if (typeof value !== 'number') return Array.isArray(value) ? 'sequence' : 'map';
  return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``;
}
