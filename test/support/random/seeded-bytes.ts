import fc from 'fast-check';

/** The same bytes for the same seed; for buffers that are too long to be drawn byte by byte. */
export function seededBytes(seed: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = seed | 1;
  for (let i = 0; i < size; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state >>> 11;
  }
  return bytes;
}

export const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });
