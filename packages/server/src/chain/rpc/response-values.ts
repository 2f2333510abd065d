import { CodedError, parseAddress, type Slot, toSlot } from '@tidegate/core/base';

/** Checks of what a node sent. Each fails with MALFORMED_DATA. */

type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown, what: string): Fields {
  if (!isFields(value)) throw malformed(what, 'it is not an object');
  return value;
}

export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw malformed(what, 'it is not a text');
  return value;
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(what, 'it is not a list');
  return value;
}

export function hashOf(value: unknown, what: string): string {
  const hash = parseAddress(textOf(value, what));
  if (hash === undefined) throw malformed(what, 'it is not base58 of 32 bytes');
  return hash;
}

export function wholeOf(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || typeof value !== 'number' || value < 0) {
    throw malformed(what, 'it is not a whole number');
  }
  return value;
}

export function slotOf(value: unknown, what: string): Slot {
  return toSlot(BigInt(wholeOf(value, what)));
}

/** The slot that an answer or a notification is true for. */
export function contextSlotOf(result: unknown): Slot {
  const context = fieldsOf(fieldsOf(result, 'answer')['context'], 'context of the answer');
  return slotOf(context['slot'], 'slot of the answer');
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CodedError('MALFORMED_DATA', { what, reason: 'it is cut off or not JSON' }, cause);
  }
}

export function malformed(what: string, reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what, reason });
}

export function requireAccountList(value: unknown): void {
  listOf(value, 'list of accounts');
}
