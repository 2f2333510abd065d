import type { Readable } from 'node:stream';

/** Reads a stream to its end as UTF-8. A small compressed document can be huge, so more than `maxBytes` bytes throw. */
export async function readLimitedText(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`its response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
