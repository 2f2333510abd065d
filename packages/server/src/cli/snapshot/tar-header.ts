import { CodedError } from '../../errors.ts';

export const BLOCK_BYTES = 512;
/** Sizes are eleven octal digits. */
export const MAX_FILE_BYTES = 8 ** 11 - 1;

/** One entry of a tar archive in the ustar format. A folder has no content. */
export type TarEntry = {
  /** Relative, with `/` between its parts. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly size: number;
  /** Seconds since 1970. */
  readonly modifiedAt: number;
};

const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
const PREFIX_AT = 345;
const CHECKSUM_AT = 148;
const CHECKSUM_BYTES = 8;
const MAGIC = 'ustar\u000000';
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The block before the content of an entry. */
export function encodeTarHeader({ path, kind, size, modifiedAt }: TarEntry): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const { name, prefix } = splitPath(kind === 'folder' ? `${path}/` : path);
  block.write(name, 0);
  block.write(octal(kind === 'folder' ? FOLDER_MODE : FILE_MODE, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(modifiedAt, 11), 136);
  block.write(kind === 'folder' ? '5' : '0', 156);
  block.write(MAGIC, 257);
  block.write(prefix, PREFIX_AT);
  block.write(`${octal(checksum(block), 6)}\u0000 `, CHECKSUM_AT);
  return block;
}

/** Undefined for the empty block at the end of an archive. Throws MALFORMED_DATA. */
export function decodeTarHeader(block: Buffer): TarEntry | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (number(block, CHECKSUM_AT, CHECKSUM_BYTES) !== checksum(block)) {
    throw malformed('the checksum of a header is wrong');
  }
  const type = String.fromCharCode(block[156] ?? 0);
  if (type !== '0' && type !== '5') throw malformed(`it has an entry of type "${type}"`);
  const prefix = text(block, PREFIX_AT, PREFIX_BYTES);
  const name = text(block, 0, NAME_BYTES);
  const path = prefix === '' ? name : `${prefix}/${name}`;
  return {
    path: type === '5' ? path.replace(/\/$/, '') : path,
    kind: type === '5' ? 'folder' : 'file',
    size: number(block, 124, 12),
    modifiedAt: number(block, 136, 12),
  };
}

/** The bytes that fill the last block of a content. */
export const paddingOf = (size: number): number =>
  (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;

/** A long path is divided at a slash. */
function splitPath(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= NAME_BYTES) return { name: path, prefix: '' };
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    const fits = Buffer.byteLength(name) <= NAME_BYTES && Buffer.byteLength(prefix) <= PREFIX_BYTES;
    if (fits && name !== '') return { name, prefix };
  }
  throw malformed(`the path ${path} is too long`);
}

/** The checksum counts its own field as spaces. */
function checksum(block: Buffer): number {
  let sum = CHECKSUM_BYTES * 0x20;
  for (const [index, byte] of block.entries()) {
    const isOwnField = index >= CHECKSUM_AT && index < CHECKSUM_AT + CHECKSUM_BYTES;
    if (!isOwnField) sum += byte;
  }
  return sum;
}

const octal = (value: number, digits: number): string =>
  Math.floor(value).toString(8).padStart(digits, '0');

function number(block: Buffer, at: number, length: number): number {
  const digits = text(block, at, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw malformed('a number in a header is malformed');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

function text(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
}

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'tar archive', reason });
