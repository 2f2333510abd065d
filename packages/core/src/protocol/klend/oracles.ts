import { bytesEqual, bytesFromHex } from '../../base/encoding/bytes.ts';
import { CodedError } from '../../base/errors.ts';
import { FRACTION_BITS, type Sf, sfFromBits } from '../../base/numbers/scaled-fraction.ts';
import { type ChainTime, toUnixSeconds, type UnixSeconds } from '../../base/time.ts';
import type { LendingRules } from './lending-rules.ts';
import type { OraclePrice } from './math/price-status.ts';

/** Of the account `PullFeedAccountData`. */
const SWITCHBOARD_DISCRIMINATOR = bytesFromHex('c41b6cc40ad7db28');
/** After 32 submissions of 64 bytes and the settings of the feed. */
const RESULT_AT = 8 + 2_048 + 208;
/** From the start of the result. */
const SWITCHBOARD_AT = { value: 0, deviation: 16, slot: 104 } as const;
const RESULT_BYTES = 128;
const DECIMALS = 18n;
const MS_PER_SLOT = 400n;

type FeedResult = {
  readonly value: bigint;
  readonly deviation: bigint;
  readonly unix: UnixSeconds;
};

type SwitchboardFeeds = {
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
  const isFeed = bytesEqual(
    data.subarray(0, SWITCHBOARD_DISCRIMINATOR.length),
    SWITCHBOARD_DISCRIMINATOR,
  );
  if (!isFeed || data.length < RESULT_AT + RESULT_BYTES) return undefined;
  const view = new DataView(data.buffer, data.byteOffset + RESULT_AT, RESULT_BYTES);
  const slot = view.getBigUint64(SWITCHBOARD_AT.slot, true);
  const value = int128(view, SWITCHBOARD_AT.value);
  const deviation = int128(view, SWITCHBOARD_AT.deviation);
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

/** Of the account `PriceUpdateV2`. */
const PYTH_DISCRIMINATOR = bytesFromHex('22f123639d7ef4cd');
const VERIFICATION_AT = 8 + 32;
/** All guardians verified the price. Another level has a number of signatures after it. */
const FULLY_VERIFIED = 1;
const MESSAGE_AT = VERIFICATION_AT + 1;

/** From the start of the price message. */
const PYTH_AT = {
  price: 32,
  conf: 40,
  exponent: 48,
  publishTime: 52,
  emaPrice: 68,
  emaConf: 76,
} as const;
const MESSAGE_BYTES = 84;

type PythTerms = {
  /** Whether the reserve compares the price with the moving average. */
  readonly isTwapCompared: boolean;
  readonly rules: Pick<LendingRules, 'zeroPrice'>;
};

/**
 * The price of a Pyth account, with its moving average as TWAP. Undefined for another account, a price that is not fully
 * verified, or one with too wide a confidence interval. Throws MALFORMED_DATA for a negative price, where the program
 * panics, since zeros are not readings.
 */
export function readPythPrice(
  data: Uint8Array,
  { isTwapCompared, rules }: PythTerms,
): OracleResult {
  const isPrice = bytesEqual(data.subarray(0, PYTH_DISCRIMINATOR.length), PYTH_DISCRIMINATOR);
  if (!isPrice || data.length < MESSAGE_AT + MESSAGE_BYTES) return undefined;
  if (data[VERIFICATION_AT] !== FULLY_VERIFIED) return undefined;
  const message = new DataView(data.buffer, data.byteOffset + MESSAGE_AT, MESSAGE_BYTES);
  const exponent = BigInt(Math.abs(message.getInt32(PYTH_AT.exponent, true)));
  const publishTime = message.getBigInt64(PYTH_AT.publishTime, true);
  if (publishTime < 0n) return undefined;
  const unix = toUnixSeconds(publishTime);
  const isZeroMissing = rules.zeroPrice === 'missing';
  const read = (priceAt: number, confAt: number): OraclePrice | undefined => {
    const value = message.getBigInt64(priceAt, true);
    const confidence = message.getBigUint64(confAt, true);
    if (value < 0n && isZeroMissing) throw negativePrice();
    if (value < 0n || (value === 0n && !isZeroMissing)) return undefined;
    if (value !== 0n && confidence * CONFIDENCE_FACTOR > value) return undefined;
    return { price: decimalToSf(value, exponent), unix };
  };
  const price = read(PYTH_AT.price, PYTH_AT.conf);
  if (price === undefined) return undefined;
  const twap = read(PYTH_AT.emaPrice, PYTH_AT.emaConf);
  if (twap === undefined) return undefined;
  const isZero =
    isZeroAt(message, PYTH_AT.price) || (isTwapCompared && isZeroAt(message, PYTH_AT.emaPrice));
  return isZero ? ZERO_READING : { unix, price, twap };
}

const isZeroAt = (message: DataView, offset: number): boolean =>
  message.getBigInt64(offset, true) === 0n;

const negativePrice = () =>
  new CodedError('MALFORMED_DATA', { what: 'Pyth price', reason: 'it is negative' });

/** What one oracle of a reserve says. */
export type OracleCandidate = {
  readonly unix: UnixSeconds;
  /** Undefined if the oracle is too uncertain about it: the program then uses none, not that of another oracle. */
  readonly price: OraclePrice | undefined;
  readonly twap: OraclePrice | undefined;
};

/** An oracle that reports a zero, which counts as no reading. */
export const ZERO_READING = 'zero';

/** Undefined for an oracle that cannot be read. */
export type OracleResult = OracleCandidate | typeof ZERO_READING | undefined;

/** The program accepts a deviation of at most 2 % of the price. */
const CONFIDENCE_FACTOR = 50n;

/** The program has no larger powers of ten. */
const MAX_DECIMALS = 36n;

/** The candidate with the newest price. Of equal times the first one, in the order Pyth, Switchboard, Scope. */
export function newestCandidate(candidates: readonly OracleResult[]): OracleCandidate | undefined {
  let newest: OracleCandidate | undefined;
  for (const candidate of candidates) {
    if (candidate === undefined || candidate === ZERO_READING) continue;
    if (newest === undefined || candidate.unix > newest.unix) newest = candidate;
  }
  return newest;
}

/** A decimal number in 60 bits, rounded down. */
function decimalToSf(value: bigint, decimals: bigint): Sf {
  if (decimals > MAX_DECIMALS) {
    throw new CodedError('MATH_OVERFLOW', { what: 'decimals of a price', bits: 128 });
  }
  return sfFromBits((value << FRACTION_BITS) / 10n ** decimals);
}
