import { CodedError, parseAddress, type Slot, toSlot } from '@tidegate/core/base';

/** Checks of what a node sent. Each fails with MALFORMED_DATA. */

type Fields = Readonly<Record<string, unknown>>;

export function isResponseObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function requireObject(value: unknown, what: string): Fields {
  if (!isResponseObject(value)) throw malformedData(what, 'it is not an object');
  return value;
}

export function requireString(value: unknown, what: string): string {
  if (typeof value !== 'string') throw malformedData(what, 'it is not a text');
  return value;
}

export function requireArray(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformedData(what, 'it is not a list');
  return value;
}

export function requireHash(value: unknown, what: string): string {
  const hash = parseAddress(requireString(value, what));
  if (hash === undefined) throw malformedData(what, 'it is not base58 of 32 bytes');
  return hash;
}

export function requireInteger(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || typeof value !== 'number' || value < 0) {
    throw malformedData(what, 'it is not a whole number');
  }
  return value;
}

export function requireSlot(value: unknown, what: string): Slot {
  return toSlot(BigInt(requireInteger(value, what)));
}

/** The slot that an answer or a notification is true for. */
export function requireContextSlot(result: unknown): Slot {
  const context = requireObject(
    requireObject(result, 'answer')['context'],
    'context of the answer',
  );
  return requireSlot(context['slot'], 'slot of the answer');
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CodedError('MALFORMED_DATA', { what, reason: 'it is cut off or not JSON' }, cause);
  }
}

export function malformedData(what: string, reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what, reason });
}

export function requireAccountList(value: unknown): void {
  requireArray(value, 'list of accounts');
}
