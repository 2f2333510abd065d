import fc from 'fast-check';

/** Deterministic bytes per seed, for buffers that are too long for fast-check to generate. */
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
