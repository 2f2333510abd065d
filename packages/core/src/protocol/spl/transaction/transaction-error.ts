import {
  isAbsent,
  isJsonObject,
  malformedTransaction,
  toJsonArray,
  toJsonIndex,
} from './json-values.ts';

/** Why a transaction had no effect but its fee. */
export type TransactionError =
  | { readonly kind: 'transaction'; readonly name: string }
  | { readonly kind: 'instruction'; readonly index: number; readonly name: string }
  /** A program's own code; what it means depends on the program. */
  | { readonly kind: 'custom'; readonly index: number; readonly code: number };

/** An instruction's place is one byte, a program's code four. */
const BYTE = 256;
const CODES = 2 ** 32;

/** `meta.err`: a name, or an object whose only key is the name. */
export function parseTransactionError(err: unknown): TransactionError | undefined {
  if (isAbsent(err)) return undefined;
  if (typeof err === 'string') return { kind: 'transaction', name: err };
  const [name, detail] = onlyEntry(err);
  if (name !== 'InstructionError') return { kind: 'transaction', name };
  const [place, reason] = toJsonArray(detail, 'meta.err.InstructionError');
  const index = toJsonIndex(place, BYTE, 'the place of the failed instruction');
  if (typeof reason === 'string') return { kind: 'instruction', index, name: reason };
  const [reasonName, code] = onlyEntry(reason);
  if (reasonName !== 'Custom') return { kind: 'instruction', index, name: reasonName };
  return { kind: 'custom', index, code: toJsonIndex(code, CODES, 'the code of the failure') };
}

function onlyEntry(value: unknown): readonly [string, unknown] {
  const entry = isJsonObject(value) ? Object.entries(value)[0] : undefined;
  if (entry === undefined) throw malformedTransaction('meta.err is not an error that is known');
  return entry;
}
