import type { Address } from '../../base/encoding/address.ts';
import { CodedError, type ErrorCode } from '../../base/errors.ts';

/** Something that a list leaves out, and why. */
export type Omission = { readonly address: Address; readonly reason: string };

/** Errors of the data of one account. Any other error is not caused by that account. */
const accountErrors: readonly ErrorCode[] = [
  'MALFORMED_DATA',
  'MATH_OVERFLOW',
  'DIVISION_BY_ZERO',
  'PROGRAM_REFUSES',
];

/** Errors that make a figure unavailable, while its neighbours are not affected. */
const unavailableCodes: readonly ErrorCode[] = ['ACCOUNT_UNREADABLE', 'PRICE_UNAVAILABLE'];

/** Computes a figure of an account. Throws ACCOUNT_UNREADABLE if its data does not allow it. */
export function computeFigure<Value>(address: Address, compute: () => Value): Value {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof CodedError) || !accountErrors.includes(error.code)) throw error;
    const reason = withoutPeriod(error.message);
    throw new CodedError('ACCOUNT_UNREADABLE', { address, reason }, error);
  }
}

/** Rethrows every error but those of unavailable figures. */
export function requireUnavailable(error: unknown): CodedError {
  if (error instanceof CodedError && unavailableCodes.includes(error.code)) return error;
  throw error;
}

/** The items that can be computed, and the others with the reason. */
export function collectAvailable<Source extends { readonly address: Address }, Item>(
  sources: Iterable<Source>,
  compute: (source: Source) => Item,
): { readonly items: readonly Item[]; readonly omitted: readonly Omission[] } {
  const items: Item[] = [];
  const omitted: Omission[] = [];
  for (const source of sources) {
    try {
      items.push(compute(source));
    } catch (error) {
      omitted.push({ address: source.address, reason: requireUnavailable(error).message });
    }
  }
  return { items, omitted };
}

/** The error of an account that cannot be decoded, with the message of the decoder. */
export const unreadableError = (address: Address, message: string): CodedError =>
  new CodedError('ACCOUNT_UNREADABLE', { address, reason: withoutPeriod(message) });

/** For a reason inside of another message, which has its own period. */
export const withoutPeriod = (message: string): string => message.replace(/\.$/, '');
