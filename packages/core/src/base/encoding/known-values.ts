import { bytesAt } from './field-bytes.ts';
import type { Field } from './layout.ts';

/** A field that is reserved space. */
export const reserved = <Value>(field: Field<Value>): Field<Value> => ({
  ...field,
  known: { kind: 'zero', of: field },
});

/** A field whose values from 0 to `max` are known. */
export function upTo<Value extends number | bigint>(
  field: Field<Value>,
  max: number,
): Field<Value> {
  const isKnown = (source: DataView, offset: number): boolean =>
    field.decode(source, offset) <= max;
  return { ...field, known: { kind: 'values', of: field, isKnown } };
}

/** 0 or 1. */
export const flag = (field: Field<number>): Field<number> => upTo(field, 1);

/** A set of bits, of which those of the mask are known. */
export function bits(field: Field<number>, mask: number): Field<number> {
  const isKnown = (source: DataView, offset: number): boolean =>
    (field.decode(source, offset) & ~mask) === 0;
  return { ...field, known: { kind: 'values', of: field, isKnown } };
}

/** Bytes of which each has a known value. */
export function eachByte(
  field: Field<Uint8Array>,
  isKnownByte: (byte: number) => boolean,
): Field<Uint8Array> {
  const isKnown = (source: DataView, offset: number): boolean =>
    bytesAt(source, offset, field.size).every(isKnownByte);
  return { ...field, known: { kind: 'values', of: field, isKnown, isKnownByte } };
}
