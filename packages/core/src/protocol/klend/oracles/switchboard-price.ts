import { bytesEqual, bytesFromHex } from '../../../base/encoding/bytes.ts';
import { type ChainTime, toUnixSeconds, type UnixSeconds } from '../../../base/time.ts';
import type { LendingRules } from '../lending-rules.ts';
import type { OraclePrice } from '../math/price-status.ts';
import {
  CONFIDENCE_FACTOR,
  decimalToSf,
  type OracleResult,
  ZERO_READING,
} from './oracle-candidate.ts';

/** Of the account `PullFeedAccountData`. */
const DISCRIMINATOR = bytesFromHex('c41b6cc40ad7db28');
/** After 32 submissions of 64 bytes and the settings of the feed. */
const RESULT_AT = 8 + 2_048 + 208;
/** From the start of the result. */
const AT = { value: 0, deviation: 16, slot: 104 } as const;
const RESULT_BYTES = 128;
const DECIMALS = 18n;
const MS_PER_SLOT = 400n;

type FeedResult = {
  readonly value: bigint;
  readonly deviation: bigint;
  readonly unix: UnixSeconds;
};

export type SwitchboardFeeds = {
  readonly price: Uint8Array;
  /** If the reserve compares the price with a mean. */
  readonly twap: Uint8Array | undefined;
};

type SwitchboardTerms = {
  readonly at: ChainTime;
  readonly rules: Pick<LendingRules, 'zeroPrice'>;
};

/**
 * The price of a Switchboard feed. It has the slot of its price; its time is that of the present slot minus 400 ms for each
 * slot since. Undefined for another account, or a feed without a price.
 */
export function readSwitchboardPrice(
  { price, twap }: SwitchboardFeeds,
  terms: SwitchboardTerms,
): OracleResult {
  const result = readResult(price, terms);
  if (result === undefined) return undefined;
  const mean = twap === undefined ? undefined : readResult(twap, terms);
  if (twap !== undefined && mean === undefined) return undefined;
  if (result.value === 0n || mean?.value === 0n) return ZERO_READING;
  return {
    unix: result.unix,
    price: certainPrice(result),
    twap: mean === undefined ? undefined : certainPrice(mean),
  };
}

function readResult(data: Uint8Array, { at, rules }: SwitchboardTerms): FeedResult | undefined {
  const isFeed = bytesEqual(data.subarray(0, DISCRIMINATOR.length), DISCRIMINATOR);
  if (!isFeed || data.length < RESULT_AT + RESULT_BYTES) return undefined;
  const view = new DataView(data.buffer, data.byteOffset + RESULT_AT, RESULT_BYTES);
  const slot = view.getBigUint64(AT.slot, true);
  const value = int128(view, AT.value);
  const deviation = int128(view, AT.deviation);
  if (slot === 0n || value < 0n || deviation < 0n) return undefined;
  if (value === 0n && rules.zeroPrice === 'loaded') return undefined;
  const elapsed = at.slot > slot ? at.slot - slot : 0n;
  const age = (elapsed * MS_PER_SLOT) / 1_000n;
  return { value, deviation, unix: toUnixSeconds(at.unix > age ? at.unix - age : 0n) };
}

/** Undefined if the standard deviation is too large. */
function certainPrice({ value, deviation, unix }: FeedResult): OraclePrice | undefined {
  if (deviation * CONFIDENCE_FACTOR >= value) return undefined;
  return { price: decimalToSf(value, DECIMALS), unix };
}

const int128 = (view: DataView, offset: number): bigint =>
  (view.getBigInt64(offset + 8, true) << 64n) | view.getBigUint64(offset, true);
