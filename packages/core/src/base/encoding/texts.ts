import { bytesFromText, concatBytes } from './bytes.ts';

const LENGTH_BYTES = 4;

/** Encodes texts one after the other, each as its length in bytes and its UTF-8. */
export const encodeTexts = (texts: readonly string[]): Uint8Array =>
  concatBytes(
    texts.flatMap((text) => {
      const bytes = bytesFromText(text);
      const length = new Uint8Array(LENGTH_BYTES);
      new DataView(length.buffer).setUint32(0, bytes.length, true);
      return [length, bytes];
    }),
  );

/** Decodes texts that `encodeTexts` encoded. Undefined if the data is truncated or not UTF-8. */
export function decodeTexts(data: Uint8Array, count: number): readonly string[] | undefined {
  const source = new DataView(data.buffer, data.byteOffset, data.length);
  const texts: string[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (data.length - at < LENGTH_BYTES) return undefined;
    const end = at + LENGTH_BYTES + source.getUint32(at, true);
    if (end > data.length) return undefined;
    const text = decodeUtf8(data.subarray(at + LENGTH_BYTES, end));
    if (text === undefined) return undefined;
    texts.push(text);
    at = end;
  }
  return texts;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
