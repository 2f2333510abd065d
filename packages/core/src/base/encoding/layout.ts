import { type Address, addressToBytes, ZERO_ADDRESS } from './address.ts';
import { decodeAddress } from './address-cache.ts';
import { type Elements, ElementsView } from './elements-view.ts';
import {
  bytesAt,
  checkBigUint,
  checkUint,
  copyBytes,
  encodeError,
  isZero,
  writeBytes,
} from './field-bytes.ts';
import { compileStructReader, compileViewClass } from './struct-compiler.ts';

export type { Elements };

/** Which values of a field have a meaning. `of` is the field without this limit. */
export type KnownValues =
  /** Reserved space, zero until a release of the program uses it. */
  | { readonly kind: 'zero'; readonly of: Field<unknown> }
  | {
      readonly kind: 'values';
      readonly of: Field<unknown>;
      isKnown(source: DataView, offset: number): boolean;
      /** For a field of bytes that have a meaning each. */
      isKnownByte?(byte: number): boolean;
    };

/**
 * A field of fixed size. It decodes to `Value`, which owns its bytes, or to the lazy `Viewed`, which reads them
 * on access.
 */
export type Field<Value, Viewed = Value> = {
  readonly size: number;
  /** The value owns its bytes. */
  decode(source: DataView, offset: number): Value;
  /** Like `decode`, but byte fields of the value share the memory of the source. */
  decodeShared(source: DataView, offset: number): Value;
  encode(target: DataView, offset: number, value: Value): void;
  /** Encodes only the difference. The target already holds the bytes of `before`. */
  patch(target: DataView, offset: number, change: ValueChange<Value>): void;
  view(source: DataView, offset: number): Viewed;
  /** The structure of a struct or array; absent for a scalar. */
  readonly parts?: Parts;
  /** Absent if every value has a meaning. */
  readonly known?: KnownValues;
};

/** A value before and after a change. Unchanged parts are the same object. */
export type ValueChange<Value> = { readonly before: Value; readonly after: Value };

type Parts =
  | { readonly kind: 'struct'; readonly shape: Shape; readonly offsets: Record<string, number> }
  | { readonly kind: 'array'; readonly item: Field<unknown>; readonly count: number };

export type Shape = { readonly [name: string]: Field<unknown> };

/** The decoded value of a field, struct or account. */
export type Decoded<F> = F extends { decode(...args: never[]): infer Value } ? Value : never;

/**
 * A lazy view that reads each field on access. A decoded value is assignable to it. The fields are getters on the
 * prototype, so spreading a view copies nothing.
 */
export type View<F> = F extends { view(...args: never[]): infer Viewed } ? Viewed : never;

export type Struct<S extends Shape> = Field<
  { readonly [Name in keyof S]: Decoded<S[Name]> },
  { readonly [Name in keyof S]: View<S[Name]> }
> & {
  /** The offset of each field from the start of the struct. */
  readonly offsets: { readonly [Name in keyof S]: number };
  /** Decodes a view, which is then independent of its bytes. A decoded value stays the same. */
  decodeView(view: { readonly [Name in keyof S]: View<S[Name]> }): {
    readonly [Name in keyof S]: Decoded<S[Name]>;
  };
};

type Accessors<Value> = {
  read(source: DataView, offset: number): Value;
  write(target: DataView, offset: number, value: Value): void;
};

/** A field without parts. Its view is the decoded value. */
function scalar<Value>(size: number, { read, write }: Accessors<Value>): Field<Value> {
  return {
    size,
    decode: read,
    decodeShared: read,
    encode: write,
    view: read,
    patch(target, offset, { before, after }) {
      if (after !== before) write(target, offset, after);
    },
  };
}

export const u8 = scalar<number>(1, {
  read: (source, offset) => source.getUint8(offset),
  write: (target, offset, value) => target.setUint8(offset, checkUint(value, 8)),
});

export const u16 = scalar<number>(2, {
  read: (source, offset) => source.getUint16(offset, true),
  write: (target, offset, value) => target.setUint16(offset, checkUint(value, 16), true),
});

export const i16 = scalar<number>(2, {
  read: (source, offset) => source.getInt16(offset, true),
  write: (target, offset, value) => {
    checkUint(value < 0 ? -value - 1 : value, 15);
    target.setInt16(offset, value, true);
  },
});

export const u32 = scalar<number>(4, {
  read: (source, offset) => source.getUint32(offset, true),
  write: (target, offset, value) => target.setUint32(offset, checkUint(value, 32), true),
});

export const u64 = scalar<bigint>(8, {
  read: (source, offset) => source.getBigUint64(offset, true),
  write: (target, offset, value) => target.setBigUint64(offset, checkBigUint(value, 64n), true),
});

export const i64 = scalar<bigint>(8, {
  read: (source, offset) => source.getBigInt64(offset, true),
  write: (target, offset, value) => {
    checkBigUint(value < 0n ? -value - 1n : value, 63n);
    target.setBigInt64(offset, value, true);
  },
});

export const u128 = wideUint(16);

export const u256 = wideUint(32);

/** Base58 text. The zero key is by far the most frequent, so it skips the conversion. */
export const pubkey = scalar<Address>(32, {
  read: (source, offset) => {
    return isZero(source, offset, 32) ? ZERO_ADDRESS : decodeAddress(source, offset);
  },
  write: (target, offset, value) => writeBytes(target, offset, addressToBytes(value)),
});

/** Raw bytes, such as names and data that nothing reads. */
export function bytes(size: number): Field<Uint8Array> {
  const field = scalar<Uint8Array>(size, {
    read: (source, offset) => bytesAt(source, offset, size).slice(),
    write: (target, offset, value) => {
      if (value.length !== size) throw encodeError(`${value.length} bytes instead of ${size}`);
      writeBytes(target, offset, value);
    },
  });
  return { ...field, decodeShared: (source, offset) => bytesAt(source, offset, size) };
}

/** Reserved space. It is decoded too, so that encoding returns the same bytes. */
export function padding(size: number): Field<Uint8Array> {
  const field = bytes(size);
  return { ...field, known: { kind: 'zero', of: field } };
}

/** A field whose value has a unit: lamports, a slot, a fraction. */
export function branded<Value, Branded extends Value>(
  field: Field<Value>,
  toBranded: (value: Value) => Branded,
): Field<Branded> {
  return scalar<Branded>(field.size, {
    read: (source, offset) => toBranded(field.decode(source, offset)),
    write: field.encode,
  });
}

export function array<Value, Viewed>(
  item: Field<Value, Viewed>,
  count: number,
): Field<readonly Value[], Elements<Viewed>> {
  const size = item.size * count;
  function decodeShared(source: DataView, offset: number): Value[] {
    const values: Value[] = [];
    for (let i = 0; i < count; i++) values.push(item.decodeShared(source, offset + i * item.size));
    return values;
  }
  function checkCount(values: readonly Value[]): readonly Value[] {
    if (values.length === count) return values;
    throw encodeError(`${values.length} items instead of ${count}`);
  }
  return {
    size,
    parts: { kind: 'array', item, count },
    decodeShared,
    decode: (source, offset) => decodeShared(copyBytes(source, offset, size), 0),
    encode(target, offset, values) {
      checkCount(values).forEach((value, i) => {
        item.encode(target, offset + i * item.size, value);
      });
    },
    patch(target, offset, { before, after }) {
      if (after === before) return;
      checkCount(after).forEach((value, i) => {
        const old = before[i] ?? value;
        if (value !== old)
          item.patch(target, offset + i * item.size, { before: old, after: value });
      });
    },
    view: (source, offset) => new ElementsView({ source, offset, item, count }),
  };
}

export function struct<const S extends Shape>(shape: S): Struct<S> {
  type Value = Decoded<Struct<S>>;
  const offsets: Record<string, number> = {};
  let size = 0;
  for (const [name, field] of Object.entries(shape)) {
    offsets[name] = size;
    size += field.size;
  }
  const fields = Object.entries(shape).map(([name, field]) => ({
    name,
    field,
    at: offsets[name] ?? 0,
  }));
  const decodeShared = compileStructReader(fields) as (source: DataView, offset: number) => Value;
  const StructView = compileViewClass(fields);
  return {
    size,
    offsets: offsets as Struct<S>['offsets'],
    parts: { kind: 'struct', shape, offsets },
    decodeShared,
    decode: (source, offset) => decodeShared(copyBytes(source, offset, size), 0),
    encode(target, offset, value) {
      const values: Record<string, unknown> = value;
      for (const { name, field, at } of fields) field.encode(target, offset + at, values[name]);
    },
    patch(target, offset, { before, after }) {
      if (after === before) return;
      const [old, values]: Record<string, unknown>[] = [before, after];
      for (const { name, field, at } of fields) {
        const change = { before: old?.[name], after: values?.[name] };
        if (change.before !== change.after) field.patch(target, offset + at, change);
      }
    },
    view: (source, offset) => new StructView(source, offset) as View<Struct<S>>,
    decodeView(view) {
      const bytes = StructView.locate(view);
      if (bytes === undefined) return view as Value;
      return decodeShared(copyBytes(bytes.source, bytes.offset, size), 0);
    },
  };
}

/** A little-endian unsigned integer of several 64-bit words. */
function wideUint(size: number): Field<bigint> {
  const words = size / 8;
  return scalar<bigint>(size, {
    read: (source, offset) => {
      let value = source.getBigUint64(offset + size - 8, true);
      for (let word = words - 2; word >= 0; word--) {
        const low = source.getBigUint64(offset + word * 8, true);
        value = value === 0n ? low : (value << 64n) | low;
      }
      return value;
    },
    write: (target, offset, value) => {
      let rest = checkBigUint(value, BigInt(size * 8));
      for (let word = 0; word < words; word++, rest >>= 64n) {
        target.setBigUint64(offset + word * 8, BigInt.asUintN(64, rest), true);
      }
    },
  });
}
