import { bytesToHex } from './bytes.ts';
import type { Field, KnownValues } from './layout.ts';

/** A place in an account whose bytes have no meaning in its layout. */
export type UnknownValue = {
  /** Reserved space that is not zero, or a value that a field does not have. */
  readonly code: 'unknownBytes' | 'unknownValue';
  /** From the start of the account. */
  readonly offset: number;
  /** Path of the field, such as `deposits[3].padding`. */
  readonly field: string;
  /** Up to 8 bytes in hex. */
  readonly value: string;
};

/** Returns all unknown values of an account, in the order of their offsets; the same empty list if there are none. */
export type UnknownValueCheck = (data: Uint8Array) => readonly UnknownValue[];

type CheckedLayout = {
  readonly body: Field<unknown>;
  /** Offset of the body in the account. */
  readonly start: number;
  readonly size: number;
  /** Limits the check to some fields. */
  readonly includes?: (path: string) => boolean;
};

const NOTHING: readonly UnknownValue[] = [];
const LISTED_BYTES = 8;
/** The name of what follows the known fields. A program upgrade can append fields. */
const APPENDED = 'appended';

/** Checks the fields that have unknown values, and that nothing but zeros follows the known fields. */
export function createUnknownValueCheck(layout: CheckedLayout): UnknownValueCheck {
  const { body, start, includes } = layout;
  const all = listCheckedFields(body, start);
  const checked = includes === undefined ? all : all.filter(({ path }) => includes(path));
  const size = includes === undefined ? layout.size : Number.POSITIVE_INFINITY;
  const ranges = zeroRanges(checked);
  const limited = checked.filter(({ known }) => known.kind === 'values');
  const modes = limited.filter((field) => field.size === 1);
  const knownModes = modes.map(({ known }) => listKnownBytes(known));
  const wider = limited.filter((field) => field.size > 1);
  const isClean = (source: DataView): boolean => {
    for (let index = 0; index < ranges.length; index += 2) {
      if (firstNonZero(source, ranges[index] ?? 0, ranges[index + 1] ?? 0) !== -1) return false;
    }
    for (let index = 0; index < modes.length; index += 1) {
      const mode = source.getUint8(modes[index]?.offset ?? 0);
      if (knownModes[index]?.[mode] !== 1) return false;
    }
    for (const { known, offset } of wider) if (!isKnown(known, source, offset)) return false;
    return firstNonZero(source, size, source.byteLength) === -1;
  };
  return (data) => {
    const source = new DataView(data.buffer, data.byteOffset, data.length);
    return isClean(source) ? NOTHING : listUnknownValues({ checked, size }, data, source);
  };
}

type CheckedField = {
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  readonly known: KnownValues;
};

/** In the order of the account. */
function listCheckedFields(field: Field<unknown>, offset: number, path = ''): CheckedField[] {
  const { known, parts, size } = field;
  if (known !== undefined) return [{ path, offset, size, known }];
  if (parts === undefined) return [];
  if (parts.kind === 'array') {
    return Array.from({ length: parts.count }, (_, index) =>
      listCheckedFields(parts.item, offset + index * parts.item.size, `${path}[${index}]`),
    ).flat();
  }
  return Object.entries(parts.shape).flatMap(([name, part]) =>
    listCheckedFields(part, offset + (parts.offsets[name] ?? 0), path ? `${path}.${name}` : name),
  );
}

/** Start and end of each run of reserved space. */
function zeroRanges(fields: readonly CheckedField[]): Int32Array {
  const ranges: number[] = [];
  for (const { known, offset, size } of fields) {
    if (known.kind !== 'zero') continue;
    if (ranges.at(-1) === offset) ranges.pop();
    else ranges.push(offset);
    ranges.push(offset + size);
  }
  return Int32Array.from(ranges);
}

const isKnown = (known: KnownValues, source: DataView, offset: number): boolean =>
  known.kind === 'zero' || known.isKnown(source, offset);

/** 1 for each value of a byte that is known: a lookup is several times as fast as decoding the field. */
function listKnownBytes(known: KnownValues): Uint8Array {
  const source = new DataView(new ArrayBuffer(1));
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    source.setUint8(0, byte);
    return isKnown(known, source, 0) ? 1 : 0;
  });
}

const BLOCK = 32;

/** The offset of the first byte that is not zero, or -1. */
function firstNonZero(source: DataView, start: number, end: number): number {
  let at = start;
  while (at + BLOCK <= end && isZeroBlock(source, at)) at += BLOCK;
  while (at + 4 <= end && source.getInt32(at, true) === 0) at += 4;
  for (; at < end; at++) if (source.getUint8(at) !== 0) return at;
  return -1;
}

/** Without a branch for each word: reserves and vaults have many kilobytes of reserved space. */
const isZeroBlock = (source: DataView, at: number): boolean =>
  (source.getInt32(at, true) |
    source.getInt32(at + 4, true) |
    source.getInt32(at + 8, true) |
    source.getInt32(at + 12, true) |
    source.getInt32(at + 16, true) |
    source.getInt32(at + 20, true) |
    source.getInt32(at + 24, true) |
    source.getInt32(at + 28, true)) ===
  0;

function listUnknownValues(
  { checked, size }: { readonly checked: readonly CheckedField[]; readonly size: number },
  data: Uint8Array,
  source: DataView,
): UnknownValue[] {
  const hex = (start: number, end: number): string =>
    bytesToHex(data.subarray(start, Math.min(end, start + LISTED_BYTES)));
  const unknownBytes = (field: string, start: number, end: number): UnknownValue[] => {
    const offset = firstNonZero(source, start, end);
    if (offset === -1) return [];
    return [{ code: 'unknownBytes', offset, field, value: hex(offset, end) }];
  };
  const found = checked.flatMap(({ path, offset, size: fieldSize, known }): UnknownValue[] => {
    const end = offset + fieldSize;
    if (known.kind === 'zero') return unknownBytes(path, offset, end);
    if (isKnown(known, source, offset)) return [];
    const at = known.isKnownByte === undefined ? offset : firstUnknownByte(known, data, offset);
    return [{ code: 'unknownValue', offset: at, field: path, value: hex(at, end) }];
  });
  return [...found, ...unknownBytes(APPENDED, size, data.length)];
}

function firstUnknownByte(
  { isKnownByte }: Extract<KnownValues, { kind: 'values' }>,
  data: Uint8Array,
  offset: number,
): number {
  let at = offset;
  while (isKnownByte?.(data[at] ?? 0) === true) at += 1;
  return at;
}

/** `rewardInfos[3].rewardType` is `rewardInfos.rewardType`. */
export const withoutIndexes = (field: string): string => field.replaceAll(/\[\d+\]/g, '');
