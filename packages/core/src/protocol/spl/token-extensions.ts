import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { Decoded } from '../../base/encoding/layout.ts';
import { CodedError } from '../../base/errors.ts';
import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import { toUnixSeconds, type UnixSeconds } from '../../base/time.ts';
import {
  type Extension,
  findExtension,
  type scaledUiAmountConfig,
  type transferFeeConfig,
} from './layout/extensions.ts';
import type { Mint } from './layout/mint.ts';

const FRACTION_BITS = 52n;
const EXPONENT_MASK = 0x7ffn;
const BIAS = 1023n;

/** The exact factor of displayed amounts. The new multiplier applies from its timestamp. */
export function scaledUiMultiplierAt(
  config: Decoded<typeof scaledUiAmountConfig>,
  unix: UnixSeconds,
): Ratio {
  const isNew = unix >= config.newMultiplierEffectiveTimestamp;
  return ratioOfFloat64(isNew ? config.newMultiplier : config.multiplier);
}

/** Converts the 64 bits of a double to its exact value. */
export function ratioOfFloat64(bits: bigint): Ratio {
  const exponent = (bits >> FRACTION_BITS) & EXPONENT_MASK;
  const fraction = bits & ((1n << FRACTION_BITS) - 1n);
  if (exponent === EXPONENT_MASK) {
    throw new CodedError('MALFORMED_DATA', {
      what: 'multiplier',
      reason: 'it is not a finite number',
    });
  }
  // subnormal numbers have no implicit leading one
  const magnitude = exponent === 0n ? fraction : fraction | (1n << FRACTION_BITS);
  const shift = (exponent === 0n ? 1n : exponent) - BIAS - FRACTION_BITS;
  const signed = bits >> 63n === 1n ? -magnitude : magnitude;
  return shift >= 0n ? ratio(signed << shift, 1n) : ratio(signed, 1n << -shift);
}

/** What wallets show for an amount in smallest units: multiplied, then rounded down to a smallest unit. */
export const toUiUnits = (amount: bigint, { numerator, denominator }: Ratio): bigint =>
  (amount * numerator) / denominator;

/** The smallest amount for which wallets show at least `shown` units. Undefined for a multiplier that is not positive. */
export function fromUiUnits(shown: bigint, { numerator, denominator }: Ratio): bigint | undefined {
  if (numerator <= 0n) return undefined;
  return (shown * denominator + numerator - 1n) / numerator;
}

/** The factor of a mint now, and the announced one. Undefined for a mint whose amounts are shown as they are. */
export type UiScaling = {
  readonly multiplier: Ratio;
  readonly next: { readonly multiplier: Ratio; readonly from: UnixSeconds } | undefined;
};

export function uiScalingOf(
  { extensions }: Pick<Mint, 'extensions'>,
  now: UnixSeconds,
): UiScaling | undefined {
  const config = findExtension(extensions, 'scaledUiAmountConfig')?.value;
  if (config === undefined) return undefined;
  const { newMultiplierEffectiveTimestamp: from } = config;
  return {
    multiplier: scaledUiMultiplierAt(config, now),
    next:
      from > now
        ? { multiplier: ratioOfFloat64(config.newMultiplier), from: toUnixSeconds(from) }
        : undefined,
  };
}

type TransferFeeConfig = Decoded<typeof transferFeeConfig>;
type TransferFee = TransferFeeConfig['newerTransferFee'];

/** 100 % in basis points. */
const ONE_BPS = 10_000n;

/** The newer fee applies from its epoch, the older fee before. */
export function transferFeeAt(config: TransferFeeConfig, epoch: bigint): TransferFee {
  return epoch >= config.newerTransferFee.epoch ? config.newerTransferFee : config.olderTransferFee;
}

/** The fee on a transfer of `amount`, rounded up, at most the maximum. The receiver gets the rest. */
export function transferFeeOf(fee: TransferFee, amount: Lamports): Lamports {
  const exact = amount * BigInt(fee.transferFeeBasisPoints);
  const rounded = (exact + ONE_BPS - 1n) / ONE_BPS;
  return toLamports(rounded < fee.maximumFee ? rounded : fee.maximumFee);
}

/** Extension types that are not decoded here but that the lending program accepts. */
const CONFIDENTIAL_TRANSFER_FEE_CONFIG = 16;
const TOKEN_METADATA = 19;

/** The extensions that make the lending program reject the mint (6108). */
export function unsupportedExtensions({ extensions }: Mint): Extension[] {
  return (extensions?.entries ?? []).filter((entry) => !isSupported(entry));
}

function isSupported(entry: Extension): boolean {
  switch (entry.kind) {
    case 'mintCloseAuthority':
    case 'metadataPointer':
    case 'permanentDelegate':
    case 'scaledUiAmountConfig':
      return true;
    case 'transferFeeConfig':
      return (
        entry.value.olderTransferFee.transferFeeBasisPoints === 0 &&
        entry.value.newerTransferFee.transferFeeBasisPoints === 0
      );
    case 'transferHook':
      return entry.value.programId === ZERO_ADDRESS;
    case 'confidentialTransferMint':
      return entry.value.autoApproveNewAccounts === 0;
    case 'defaultAccountState':
      return entry.value.state === 1 || entry.value.state === 2;
    case 'pausableConfig':
      return entry.value.paused === 0;
    case 'other':
      return entry.type === CONFIDENTIAL_TRANSFER_FEE_CONFIG || entry.type === TOKEN_METADATA;
    default:
      return false;
  }
}
