import { concatBytes } from '@tidegate/core/base';

const LENGTH_BYTES = 4;

/** Concatenates the parts, each after its length. */
export function encodeLengthPrefixed(parts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(parts.flatMap((part) => [encodeUint32(part.length), part]));
}

/** Returns views on the bytes, not copies. */
export function decodeLengthPrefixed(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + LENGTH_BYTES;
    at = start + decodeUint32(bytes, at);
    parts.push(bytes.subarray(start, at));
  }
  return parts;
}

/** Little-endian. */
export function encodeUint32(value: number): Uint8Array {
  const bytes = new Uint8Array(LENGTH_BYTES);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

export function decodeUint32(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(offset, true);
}
