import { bytesFromText, type Decoded, type Field } from '@tidegate/core/base';

/** Decodes zeroed data, as a program sees a new account. */
export function emptyAccount<F extends Field<unknown>>(field: F): Decoded<F>;
export function emptyAccount(field: Field<unknown>): unknown {
  return field.decode(new DataView(new ArrayBuffer(field.size)), 0);
}

/** Text padded with zeros. */
export function paddedText(text: string, size: number): Uint8Array {
  const field = new Uint8Array(size);
  field.set(bytesFromText(text));
  return field;
}
