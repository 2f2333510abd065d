import {
  type LatestBlockhash,
  parseAddress,
  type Ratio,
  ratio,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import type { PriorityFeeSample } from '../source/chain-source.ts';

/** Validates values that a node sent. All functions throw MALFORMED_DATA. */

type Fields = Readonly<Record<string, unknown>>;

export function isResponseObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function requireObject(value: unknown, what: string): Fields {
  if (!isResponseObject(value)) throw malformedData(what, 'it is not an object');
  return value;
}

export function requireString(value: unknown, what: string): string {
  if (typeof value !== 'string') throw malformedData(what, 'it is not a string');
  return value;
}

export function requireArray(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformedData(what, 'it is not an array');
  return value;
}

export function requireHash(value: unknown, what: string): string {
  const hash = parseAddress(requireString(value, what));
  if (hash === undefined) throw malformedData(what, 'it is not base58 of 32 bytes');
  return hash;
}

export function requireInteger(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || typeof value !== 'number' || value < 0) {
    throw malformedData(what, 'it is not a non-negative integer');
  }
  return value;
}

export function requireSlot(value: unknown, what: string): Slot {
  return toSlot(BigInt(requireInteger(value, what)));
}

/** The context slot of a response or a notification. */
export function requireContextSlot(result: unknown): Slot {
  const context = requireObject(requireObject(result, 'response')['context'], 'response context');
  return requireSlot(context['slot'], 'context slot');
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CodedError('MALFORMED_DATA', { what, reason: 'it is truncated or not JSON' }, cause);
  }
}

export function malformedData(what: string, reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what, reason });
}

export function requireAccountList(value: unknown): void {
  requireArray(value, 'list of accounts');
}

/** Parses the `value` of a `getLatestBlockhash` response. */
export function parseBlockhash(value: unknown): Omit<LatestBlockhash, 'slot'> {
  const { blockhash, lastValidBlockHeight } = requireObject(value, 'latest blockhash');
  return {
    blockhash: requireHash(blockhash, 'blockhash'),
    lastValidBlockHeight: BigInt(requireInteger(lastValidBlockHeight, 'last valid block height')),
  };
}

/** Number of requested samples, one per minute. */
export const PERFORMANCE_SAMPLES = 60;

/** The mean slot duration in a `getRecentPerformanceSamples` result. */
export function parseSlotDuration(result: unknown): Ratio | undefined {
  let slots = 0;
  let seconds = 0;
  for (const sample of requireArray(result, 'performance samples')) {
    const { numSlots, samplePeriodSecs } = requireObject(sample, 'performance sample');
    slots += requireInteger(numSlots, 'slots of a sample');
    seconds += requireInteger(samplePeriodSecs, 'seconds of a sample');
  }
  return slots === 0 ? undefined : ratio(BigInt(seconds) * 1000n, BigInt(slots));
}

/** Of `getRecentPrioritizationFees`. */
export const parsePriorityFees = (result: unknown): PriorityFeeSample[] =>
  requireArray(result, 'priority fees').map((item) => {
    const sample = requireObject(item, 'priority fee');
    return {
      slot: requireSlot(sample['slot'], 'slot of a priority fee'),
      microLamports: BigInt(requireInteger(sample['prioritizationFee'], 'priority fee')),
    };
  });
