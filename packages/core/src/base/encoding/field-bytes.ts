import { CodedError } from '../errors.ts';

export function isZero(source: DataView, offset: number, size: number): boolean {
  const end = offset + size;
  let at = offset;
  for (; at + 4 <= end; at += 4) {
    if (source.getUint32(at, true) !== 0) return false;
  }
  for (; at < end; at++) {
    if (source.getUint8(at) !== 0) return false;
  }
  return true;
}

/** Copies the bytes once for all fields in them. */
export function copyBytes(source: DataView, offset: number, size: number): DataView {
  return new DataView(bytesAt(source, offset, size).slice().buffer);
}

export function bytesAt(source: DataView, offset: number, size: number): Uint8Array {
  return new Uint8Array(source.buffer, source.byteOffset + offset, size);
}

export function writeBytes(target: DataView, offset: number, value: Uint8Array): void {
  bytesAt(target, offset, value.length).set(value);
}

/** DataView truncates a value that is too large, so check the range first. */
export function checkBigUint(value: bigint, bits: bigint): bigint {
  if (value < 0n || value >> bits !== 0n) throw encodeError(`${value} does not fit ${bits} bits`);
  return value;
}

export function checkUint(value: number, bits: number): number {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** bits) {
    throw encodeError(`${value} does not fit ${bits} bits`);
  }
  return value;
}

export function encodeError(reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: 'value to encode', reason });
}
