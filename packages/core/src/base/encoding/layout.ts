import { type Address, addressToBytes, ZERO_ADDRESS } from './address.ts';
import { decodeAddress } from './address-cache.ts';
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

/**
 * A run of bytes of known length and what it means: `Value` when all of it is decoded, `Viewed` when
 * it is only looked at. A decoded value owns its bytes; a view reads them when asked.
 */
export type Field<Value, Viewed = Value> = {
  readonly size: number;
  /** The value owns its bytes. */
  decode(source: DataView, offset: number): Value;
  /** The same for one who owns the source: bytes in the value are windows into it. */
  share(source: DataView, offset: number): Value;
  encode(target: DataView, offset: number, value: Value): void;
  /** Encodes what differs from `before`, of which the bytes are there already. */
  patch(target: DataView, offset: number, change: ValueChange<Value>): void;
  view(source: DataView, offset: number): Viewed;
  /** What the field is made of; absent for one that is read as a whole. */
  readonly parts?: Parts;
};

/** A value and what it was made from: what both share is the same. */
export type ValueChange<Value> = { readonly before: Value; readonly after: Value };

type Parts =
  | { readonly kind: 'struct'; readonly shape: Shape; readonly offsets: Record<string, number> }
  | { readonly kind: 'array'; readonly item: Field<unknown>; readonly count: number };

export type Shape = { readonly [name: string]: Field<unknown> };

/** The value of a field, a struct or an account, decoded whole. */
export type Decoded<F> = F extends { decode(...args: never[]): infer Value } ? Value : never;

/**
 * The same, read field by field when asked. A decoded value can stand in for it. Its fields are getters of its
 * class: spreading a view copies nothing.
 */
export type View<F> = F extends { view(...args: never[]): infer Viewed } ? Viewed : never;

/** An array that may be read one element at a time: a plain array is one too. */
export type Elements<Item> = {
  readonly length: number;
  at(index: number): Item | undefined;
  [Symbol.iterator](): Iterator<Item>;
};

export type Struct<S extends Shape> = Field<
  { readonly [Name in keyof S]: Decoded<S[Name]> },
  { readonly [Name in keyof S]: View<S[Name]> }
> & {
  /** Where each field starts, from the start of the struct. */
  readonly offsets: { readonly [Name in keyof S]: number };
};

type Accessors<Value> = {
  read(source: DataView, offset: number): Value;
  write(target: DataView, offset: number, value: Value): void;
};

/** A field that has no parts: viewing it is decoding it. */
function scalar<Value>(size: number, { read, write }: Accessors<Value>): Field<Value> {
  return {
    ...{ size, decode: read, share: read, encode: write, view: read },
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

/** Refuses what the two bytes do not hold. */
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

export const u128 = wide(16);

export const u256 = wide(32);

/** Text in base58. A key of zeros, by far the most frequent, is found without the conversion. */
export const pubkey = scalar<Address>(32, {
  read: (source, offset) => {
    return isZero(source, offset, 32) ? ZERO_ADDRESS : decodeAddress(source, offset);
  },
  write: (target, offset, value) => writeBytes(target, offset, addressToBytes(value)),
});

/** Bytes as they are: names, and what no rule reads. */
export function bytes(size: number): Field<Uint8Array> {
  const copied = scalar<Uint8Array>(size, {
    read: (source, offset) => bytesAt(source, offset, size).slice(),
    write: (target, offset, value) => {
      if (value.length !== size) throw encodeError(`${value.length} bytes where ${size} are kept`);
      writeBytes(target, offset, value);
    },
  });
  return { ...copied, share: (source, offset) => bytesAt(source, offset, size) };
}

/** Room that the program keeps free. It is kept too, so that encoding gives the same bytes again. */
export const padding = (size: number): Field<Uint8Array> => bytes(size);

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
  function share(source: DataView, offset: number): Value[] {
    const values: Value[] = [];
    for (let i = 0; i < count; i++) values.push(item.share(source, offset + i * item.size));
    return values;
  }
  function counted(values: readonly Value[]): readonly Value[] {
    if (values.length === count) return values;
    throw encodeError(`${values.length} items where ${count} are kept`);
  }
  return {
    size,
    parts: { kind: 'array', item, count },
    share,
    decode: (source, offset) => share(copyBytes(source, offset, size), 0),
    encode(target, offset, values) {
      counted(values).forEach((value, i) => {
        item.encode(target, offset + i * item.size, value);
      });
    },
    patch(target, offset, { before, after }) {
      if (after === before) return;
      counted(after).forEach((value, i) => {
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
  const share = compileStructReader(fields) as (source: DataView, offset: number) => Value;
  const StructView = compileViewClass(fields);
  return {
    size,
    offsets: offsets as Struct<S>['offsets'],
    parts: { kind: 'struct', shape, offsets },
    share,
    decode: (source, offset) => share(copyBytes(source, offset, size), 0),
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
  };
}

type ElementsPlace<Viewed> = {
  readonly source: DataView;
  readonly offset: number;
  readonly item: Field<unknown, Viewed>;
  readonly count: number;
};

class ElementsView<Viewed> implements Elements<Viewed> {
  readonly #place: ElementsPlace<Viewed>;
  readonly length: number;

  constructor(place: ElementsPlace<Viewed>) {
    this.#place = place;
    this.length = place.count;
  }

  /** As arrays do it, also for an index below zero, since an array can stand in. */
  at(index: number): Viewed | undefined {
    const { source, offset, item, count } = this.#place;
    const whole = Math.trunc(index) || 0;
    const place = whole < 0 ? whole + count : whole;
    return place < 0 || place >= count ? undefined : item.view(source, offset + place * item.size);
  }

  *[Symbol.iterator](): Iterator<Viewed> {
    const { source, offset, item, count } = this.#place;
    for (let i = 0; i < count; i++) yield item.view(source, offset + i * item.size);
  }
}

/** An unsigned integer of several words of eight bytes, low word first. */
function wide(size: number): Field<bigint> {
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
