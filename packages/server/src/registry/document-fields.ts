import { type Address, parseAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import { CodedError } from '../errors.ts';

export type DocumentProblem = { readonly at: string; readonly reason: string };

/** The path of a field in a document. */
export type DocumentPath = {
  readonly source: string;
  readonly at: string;
  /** Collects problems. Without it, the first problem throws INVALID_REGISTRY. */
  readonly onProblem?: ((problem: DocumentProblem) => void) | undefined;
};

export type DocumentFields = Readonly<Record<string, unknown>>;

export const fieldPath = (path: DocumentPath, name: string): DocumentPath => ({
  ...path,
  at: path.at === '' ? name : `${path.at}.${name}`,
});

export const entryPath = (path: DocumentPath, index: number): DocumentPath => ({
  ...path,
  at: `${path.at}[${index}]`,
});

/** Reports a problem. Where problems are collected it returns, and the caller continues with a placeholder. */
export function rejectField(path: DocumentPath, reason: string): void {
  const { source, at, onProblem } = path;
  if (onProblem !== undefined) {
    onProblem({ at, reason });
    return;
  }
  const field = at === '' ? 'the document' : at;
  throw new CodedError('INVALID_REGISTRY', { source, reason: `${field} ${reason}` });
}

/** Undefined only where problems are collected. */
export function readObjectField(value: unknown, path: DocumentPath): DocumentFields | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as DocumentFields;
  }
  rejectField(path, 'must be an object');
  return undefined;
}

export function readArrayField(value: unknown, path: DocumentPath): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  rejectField(path, 'must be an array');
  return [];
}

/** Parses each entry of an array of objects. */
export function readEntries<Entry>(
  value: unknown,
  path: DocumentPath,
  parse: (fields: DocumentFields, path: DocumentPath) => Entry,
): readonly Entry[] {
  return readArrayField(value, path).flatMap((entry, i) => {
    const at = entryPath(path, i);
    const fields = readObjectField(entry, at);
    return fields === undefined ? [] : [parse(fields, at)];
  });
}

export function readStringField(value: unknown, path: DocumentPath): string {
  if (typeof value === 'string') return value;
  rejectField(path, 'must be a string');
  return '';
}

export function readBooleanField(value: unknown, path: DocumentPath): boolean {
  if (typeof value === 'boolean') return value;
  rejectField(path, 'must be true or false');
  return false;
}

export function readIntegerField(
  value: unknown,
  path: DocumentPath,
  [min, max]: readonly [min: number, max: number],
): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  rejectField(path, `must be a whole number from ${min} to ${max}`);
  return min;
}

export function readAddressField(value: unknown, path: DocumentPath): Address {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  if (address !== undefined) return address;
  rejectField(path, 'must be an address');
  return ZERO_ADDRESS;
}

/** An unknown field is probably a typing error. */
export function rejectUnknownFields(
  fields: DocumentFields,
  known: readonly string[],
  path: DocumentPath,
): void {
  for (const name of Object.keys(fields)) {
    if (known.includes(name)) continue;
    rejectField(fieldPath(path, name), `is unknown; known fields: ${known.join(', ')}`);
  }
}
