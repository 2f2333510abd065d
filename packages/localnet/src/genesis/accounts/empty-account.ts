import { bytesFromText, type Decoded, type Field } from '@tidegate/core/base';

/** The value of a field or an account's body whose bytes are all zero, as a program gets a new account. */
export function emptyAccount<F extends Field<unknown>>(field: F): Decoded<F>;
export function emptyAccount(field: Field<unknown>): unknown {
  return field.decode(new DataView(new ArrayBuffer(field.size)), 0);
}

/** Text in a fixed field, filled up with zeros. */
export function paddedText(text: string, size: number): Uint8Array {
  const field = new Uint8Array(size);
  field.set(bytesFromText(text));
  return field;
}
