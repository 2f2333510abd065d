import { bytesEqual, bytesFromHex } from '../../../base/encoding/bytes.ts';
import { CodedError } from '../../../base/errors.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import type { LendingRules } from '../lending-rules.ts';
import type { OraclePrice } from '../math/price-status.ts';
import {
  CONFIDENCE_FACTOR,
  decimalToSf,
  type OracleResult,
  ZERO_READING,
} from './oracle-candidate.ts';

/** Of the account `PriceUpdateV2`. */
const DISCRIMINATOR = bytesFromHex('22f123639d7ef4cd');
const VERIFICATION_AT = 8 + 32;
/** All guardians verified the price. Another level has a number of signatures after it. */
const FULLY_VERIFIED = 1;
const MESSAGE_AT = VERIFICATION_AT + 1;

/** From the start of the price message. */
const AT = {
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
 * panics since zeros are no readings.
 */
export function readPythPrice(
  data: Uint8Array,
  { isTwapCompared, rules }: PythTerms,
): OracleResult {
  const isPrice = bytesEqual(data.subarray(0, DISCRIMINATOR.length), DISCRIMINATOR);
  if (!isPrice || data.length < MESSAGE_AT + MESSAGE_BYTES) return undefined;
  if (data[VERIFICATION_AT] !== FULLY_VERIFIED) return undefined;
  const message = new DataView(data.buffer, data.byteOffset + MESSAGE_AT, MESSAGE_BYTES);
  const exponent = BigInt(Math.abs(message.getInt32(AT.exponent, true)));
  const publishTime = message.getBigInt64(AT.publishTime, true);
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
  const price = read(AT.price, AT.conf);
  if (price === undefined) return undefined;
  const twap = read(AT.emaPrice, AT.emaConf);
  if (twap === undefined) return undefined;
  const isZero = isZeroAt(message, AT.price) || (isTwapCompared && isZeroAt(message, AT.emaPrice));
  return isZero ? ZERO_READING : { unix, price, twap };
}

const isZeroAt = (message: DataView, offset: number): boolean =>
  message.getBigInt64(offset, true) === 0n;

const negativePrice = () =>
  new CodedError('MALFORMED_DATA', { what: 'Pyth price', reason: 'it is negative' });
