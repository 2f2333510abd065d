/**
 * Magic number, a header without size, checksum and dictionary, and a 2 MB window as in node
 * frames.
 */
const FRAME_START = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58);
const STORED = 0;
const REPEATED = 1;
const BLOCK = 256;

/** A zstd frame (RFC 8878) with raw and run-length blocks only. */
export function zstdFrame(data: Uint8Array): Uint8Array {
  const count = Math.max(1, Math.ceil(data.length / BLOCK));
  const blocks = Array.from({ length: count }, (_, i) => {
    const bytes = data.subarray(i * BLOCK, (i + 1) * BLOCK);
    const isOneByte = bytes.length > 0 && bytes.every((byte) => byte === bytes[0]);
    const kind = isOneByte ? REPEATED : STORED;
    const header = Buffer.alloc(3);
    header.writeUIntLE(bytes.length * 8 + kind * 2 + (i === count - 1 ? 1 : 0), 0, 3);
    return Buffer.concat([header, isOneByte ? bytes.subarray(0, 1) : bytes]);
  });
  return Buffer.concat([FRAME_START, ...blocks]);
}
