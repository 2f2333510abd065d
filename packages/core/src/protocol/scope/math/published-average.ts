import { type Elements, u64 } from '../../../base/encoding/layout.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '../../../base/time.ts';
import { scopeRejection } from '../errors.ts';
import type { OracleMappingsView } from '../layout/configuration.ts';
import type { DatedPriceView } from '../layout/oracle-prices.ts';
import { oracleTypeName } from '../oracle-types.ts';
import { mappingEntry } from './mapping-entry.ts';
import type { Sample } from './twap.ts';

type PublishedFeed = {
  readonly prices: Elements<DatedPriceView>;
  readonly mappings: OracleMappingsView;
};

/** Settings of the source: its feed in 2 bytes, its decimals, a factor in 4 bytes, whether it has an average. */
const DECIMALS_AT = 2;
const HAS_AVERAGE_AT = 7;
/** State of the source: the time of its price, its average, and the time of its average. */
const AVERAGE_AT = 8;
const AVERAGE_TIME_AT = 16;

const MICROSECONDS = 1_000_000n;
const MS_PER_SLOT = 400n;

/** The average that came with the last price of a Pyth Lazer entry. Its slot is estimated from its age. */
export function publishedAverage(
  { prices, mappings }: PublishedFeed,
  index: number,
  { slot, unix }: ChainTime,
): Sample {
  const source = prices.at(index);
  const settings = mappings.generic.at(index);
  if (source === undefined || settings === undefined) {
    throw scopeRejection('BadTokenNb', `there is no entry ${index}`);
  }
  if (oracleTypeName(mappingEntry(mappings, index).oracleType) !== 'PythLazer') {
    throw scopeRejection('BadTokenType', `entry ${index} publishes no average`);
  }
  if (settings[HAS_AVERAGE_AT] !== 1) {
    const reason = `entry ${index} does not ask for an average`;
    throw scopeRejection('PythLazerEmaNotEnabledOnSource', reason);
  }
  const { genericData } = source;
  const state = new DataView(genericData.buffer, genericData.byteOffset, genericData.length);
  const publishedAt = u64.decode(state, AVERAGE_TIME_AT);
  if (publishedAt === 0n) {
    throw scopeRejection('PythLazerEmaPriceNotPresent', `entry ${index} has no average yet`);
  }
  const seconds = publishedAt / MICROSECONDS;
  const at = seconds < unix ? seconds : unix;
  const slotsAgo = ((unix - at) * 1_000n + MS_PER_SLOT - 1n) / MS_PER_SLOT;
  return {
    price: { value: u64.decode(state, AVERAGE_AT), exp: BigInt(settings[DECIMALS_AT] ?? 0) },
    lastUpdatedSlot: toSlot(slot > slotsAgo ? slot - slotsAgo : 0n),
    unixTimestamp: toUnixSeconds(at),
  };
}
