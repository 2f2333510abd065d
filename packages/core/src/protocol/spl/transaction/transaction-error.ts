import {
  isAbsent,
  isJsonObject,
  malformedTransaction,
  toJsonArray,
  toJsonIndex,
} from './json-values.ts';

/** The error of a failed transaction. */
export type TransactionError =
  | { readonly kind: 'transaction'; readonly name: string }
  | { readonly kind: 'instruction'; readonly index: number; readonly name: string }
  /** A custom error code of the program. */
  | { readonly kind: 'custom'; readonly index: number; readonly code: number };

/** An instruction index has one byte, a custom code four. */
const BYTE = 256;
const CODES = 2 ** 32;

/** Parses `meta.err`: a name, or an object with the name as its only key. */
export function parseTransactionError(err: unknown): TransactionError | undefined {
  if (isAbsent(err)) return undefined;
  if (typeof err === 'string') return { kind: 'transaction', name: err };
  const [name, detail] = onlyEntry(err);
  if (name !== 'InstructionError') return { kind: 'transaction', name };
  const [rawIndex, reason] = toJsonArray(detail, 'meta.err.InstructionError');
  const index = toJsonIndex(rawIndex, BYTE, 'the index of the failed instruction');
  if (typeof reason === 'string') return { kind: 'instruction', index, name: reason };
  const [reasonName, code] = onlyEntry(reason);
  if (reasonName !== 'Custom') return { kind: 'instruction', index, name: reasonName };
  return { kind: 'custom', index, code: toJsonIndex(code, CODES, 'the custom error code') };
}

function onlyEntry(value: unknown): readonly [string, unknown] {
  const entry = isJsonObject(value) ? Object.entries(value)[0] : undefined;
  if (entry === undefined) throw malformedTransaction('meta.err is not a known error');
  return entry;
}
