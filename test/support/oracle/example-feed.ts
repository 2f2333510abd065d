import { bytesFromHex } from '#core/base/encoding/bytes.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { type OracleMappings, oracleMappings } from '#core/protocol/scope/layout/configuration.ts';
import {
  type DatedPrice,
  oraclePrices,
  oracleTwaps,
} from '#core/protocol/scope/layout/oracle-prices.ts';
import type { ScopeFeed } from '#core/protocol/scope/operations/refresh-entry.ts';
import { ORACLE_TYPES, type OracleTypeName } from '#core/protocol/scope/oracle-types.ts';
import { SCOPE_PROGRAM } from '#core/protocol/scope/program.ts';

const NONE = 65_535;
const FROZEN = 0x80;

export type ExampleEntry = {
  readonly type: OracleTypeName;
  /** Settings in hex, without the zeros at their end. */
  readonly generic?: string;
  readonly isFrozen?: boolean;
  readonly twapSource?: number;
  readonly twapEnabled?: number;
  readonly refPrice?: number;
  readonly tolerance?: number;
};

type ExamplePrice = readonly [value: bigint, exp: bigint, unix: bigint];

const zeroed = <Value>(layout: {
  readonly body: { readonly size: number; decode(source: DataView, offset: number): Value };
}): Value => layout.body.decode(new DataView(new ArrayBuffer(layout.body.size)), 0);

/** A feed with some prices, and with entries that are computed. The slot of a price is its time divided by ten. */
export function exampleFeed(
  prices: Readonly<Record<number, ExamplePrice>>,
  entries: Readonly<Record<number, ExampleEntry>>,
): ScopeFeed {
  const feed = zeroed(oraclePrices);
  return {
    prices: {
      ...feed,
      prices: feed.prices.map((none, i) => {
        const [value, exp, unix] = prices[i] ?? [];
        if (value === undefined || exp === undefined || unix === undefined) return none;
        return datedPrice(value, exp, unix);
      }),
    },
    mappings: exampleMappings(entries),
    twaps: zeroed(oracleTwaps),
  };
}

const datedPrice = (value: bigint, exp: bigint, unix: bigint): DatedPrice => ({
  price: { value, exp },
  lastUpdatedSlot: toSlot(unix / 10n),
  unixTimestamp: toUnixSeconds(unix),
  genericData: new Uint8Array(24),
});

function exampleMappings(entries: Readonly<Record<number, ExampleEntry>>): OracleMappings {
  const empty = zeroed(oracleMappings);
  const each = <Value>(values: readonly Value[], change: (entry: ExampleEntry) => Value) =>
    values.map((value, i) => {
      const entry = entries[i];
      return entry === undefined ? value : change(entry);
    });
  const none = Array.from({ length: empty.refPrice.length }, () => NONE);
  return {
    ...empty,
    priceInfoAccounts: each(empty.priceInfoAccounts, () => SCOPE_PROGRAM),
    priceTypes: Uint8Array.from(
      each([...empty.priceTypes], ({ type, isFrozen }) => {
        const index = ORACLE_TYPES.indexOf(type);
        return isFrozen ? index | FROZEN : index;
      }),
    ),
    generic: each(empty.generic, ({ generic = '' }) => bytesFromHex(generic.padEnd(40, '0'))),
    twapSource: each(none, ({ twapSource, tolerance }) => twapSource ?? tolerance ?? NONE),
    twapEnabled: Uint8Array.from(
      each([...empty.twapEnabled], ({ twapEnabled = 0 }) => twapEnabled),
    ),
    refPrice: each(none, ({ refPrice = NONE }) => refPrice),
  };
}
