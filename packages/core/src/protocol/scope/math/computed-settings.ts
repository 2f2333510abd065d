import { i64, u8, u16, u64 } from '../../../base/encoding/layout.ts';
import { scopeRejection } from '../errors.ts';
import { type OracleTypeName, oracleTypeName } from '../oracle-types.ts';
import type { Price } from './price-arithmetic.ts';

/** How an entry is computed from other entries, from the time, or from a constant. */
export type ComputedSettings =
  | { readonly kind: 'fixed'; readonly price: Price }
  /** 1 at maturity, before that reduced by a linear yearly discount. */
  | {
      readonly kind: 'discount to maturity';
      readonly discountPerYearBps: number;
      readonly maturity: bigint;
    }
  /** The newest of the sources, which must agree and be recent. At most the price of the cap, if there is one. */
  | {
      readonly kind: 'most recent of';
      readonly sources: readonly number[];
      readonly maxDivergenceBps: number;
      readonly maxAgeSeconds: bigint;
      readonly cap: number | undefined;
    }
  | {
      readonly kind: 'capped and floored';
      readonly source: number;
      readonly cap: number | undefined;
      readonly floor: number | undefined;
    }
  | {
      readonly kind: 'product';
      readonly sources: readonly number[];
      readonly maxAgeSeconds: bigint;
    }
  /** 1 if the condition holds, 0 if not. */
  | {
      readonly kind: 'condition';
      readonly condition: Condition;
      readonly toleranceBps: number;
      readonly sources: readonly number[];
    }
  /** The average that the publisher of another entry sends along. */
  | { readonly kind: 'published average'; readonly source: number };

/** The index is the stored number. */
const CONDITIONS = [
  'Gt',
  'Gte',
  'Lt',
  'Lte',
  'Eq',
  'Neq',
  'WithinRangeAbs',
  'OutsideRangeAbs',
  'WithinRangeBps',
  'OutsideRangeBps',
  'NonZero',
] as const;

export type Condition = (typeof CONDITIONS)[number];

const ENTRIES = 512;
const RECENT_SOURCES = 4;
const PRODUCT_SOURCES = 6;
const CONDITION_SOURCES = 3;

/** Undefined for a type that reads accounts of other programs, or that is a TWAP. */
export function computedSettings(type: number, generic: Uint8Array): ComputedSettings | undefined {
  const name = oracleTypeName(type);
  return name === undefined ? undefined : readers[name]?.(new SettingsReader(generic));
}

const readers: {
  readonly [Name in OracleTypeName]?: (read: SettingsReader) => ComputedSettings;
} = {
  FixedPrice: (read) => ({ kind: 'fixed', price: { value: read.u64(), exp: read.u64() } }),
  DiscountToMaturity: (read) => ({
    kind: 'discount to maturity',
    discountPerYearBps: read.u16(),
    maturity: read.i64(),
  }),
  MostRecentOf: (read) => ({ ...readMostRecentOf(read), cap: undefined }),
  CappedMostRecentOf: (read) => ({ ...readMostRecentOf(read), cap: read.u16() }),
  CappedFloored: (read) => ({
    kind: 'capped and floored',
    source: read.u16(),
    cap: read.optionalU16(),
    floor: read.optionalU16(),
  }),
  MultiplicationChain: (read) => ({
    kind: 'product',
    sources: untilUnused(read.entries(PRODUCT_SOURCES)),
    maxAgeSeconds: read.u64(),
  }),
  Conditional(read) {
    const condition = CONDITIONS[read.u8()];
    if (condition === undefined) {
      throw scopeRejection('InvalidGenericData', 'the condition of the entry is unknown');
    }
    const toleranceBps = read.u16();
    const sources = read.entries(CONDITION_SOURCES).slice(0, sourceCount(condition));
    return { kind: 'condition', condition, toleranceBps, sources };
  },
  PythLazerEMA: (read) => ({ kind: 'published average', source: read.u16() }),
};

/** Unused sources are skipped, wherever they are. */
function readMostRecentOf(read: SettingsReader) {
  return {
    kind: 'most recent of',
    sources: read.entries(RECENT_SOURCES).filter((index) => index < ENTRIES),
    maxDivergenceBps: read.u16(),
    maxAgeSeconds: read.u64(),
  } as const;
}

/** A product ends with the first unused source. */
function untilUnused(entries: readonly number[]): readonly number[] {
  const end = entries.findIndex((index) => index >= ENTRIES);
  return end < 0 ? entries : entries.slice(0, end);
}

function sourceCount(condition: Condition): number {
  if (condition === 'NonZero') return 1;
  return condition === 'WithinRangeAbs' || condition === 'OutsideRangeAbs' ? 3 : 2;
}

/** Reads the settings of an entry, which have 20 bytes, one after the other. */
class SettingsReader {
  readonly #source: DataView;
  #at = 0;

  constructor(data: Uint8Array) {
    this.#source = new DataView(data.buffer, data.byteOffset, data.length);
  }

  u8(): number {
    return u8.decode(this.#source, this.#take(u8.size));
  }

  u16(): number {
    return u16.decode(this.#source, this.#take(u16.size));
  }

  u64(): bigint {
    return u64.decode(this.#source, this.#take(u64.size));
  }

  i64(): bigint {
    return i64.decode(this.#source, this.#take(i64.size));
  }

  optionalU16(): number | undefined {
    return this.u8() === 0 ? undefined : this.u16();
  }

  entries(count: number): readonly number[] {
    return Array.from({ length: count }, () => this.u16());
  }

  #take(size: number): number {
    const at = this.#at;
    this.#at += size;
    return at;
  }
}
