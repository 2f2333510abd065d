import {
  type Address,
  type ChainTime,
  type ClusterAccount,
  parseAddress,
  parseDecimal,
} from '@tidegate/core/base';
import { knownTokens } from '@tidegate/core/protocol/spl';
import { mint as mintLayout } from '@tidegate/core/protocol/spl/layout';
import { CodedError } from '../errors/index.ts';
import { slotsBetween } from '../runtime/slot-time.ts';

export function requireAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new CodedError('INVALID_ADDRESS', { text });
  return address;
}

/** By symbol or address. Symbols are those of the generated tokens, which have the mints of mainnet. */
export function requireMint(token: string): Address {
  const address =
    parseAddress(token) ??
    knownTokens.find(({ symbol, verified }) => verified && symbol === token)?.mint;
  if (address === undefined) throw new CodedError('NOT_FOUND', { what: 'token', address: token });
  return address;
}

/** Base units as they are, or whole tokens as decimal text, which must be a whole number of base units. */
export function readBaseUnits(
  amount: bigint | string,
  account: ClusterAccount | undefined,
  mint: Address,
): bigint {
  if (account === undefined || !mintLayout.matches(account)) {
    throw new CodedError('NOT_FOUND', { what: 'mint', address: mint });
  }
  if (typeof amount === 'bigint') return requirePositive(amount);
  const { decimals } = mintLayout.decode(account);
  const { numerator, denominator } = parseDecimal(amount);
  const units = numerator * 10n ** BigInt(decimals);
  if (units % denominator !== 0n) {
    const reason = `the token has ${decimals} decimals`;
    throw new CodedError('INVALID_DECIMAL', { text: amount, reason });
  }
  return requirePositive(units / denominator);
}

function requirePositive(units: bigint): bigint {
  if (units > 0n) return units;
  throw new CodedError('INVALID_DECIMAL', { text: `${units}`, reason: 'it is not positive' });
}

/** Slots by which a cluster advances: at least one, and enough for all of the seconds to pass. */
export function slotCount(
  by: { readonly slots: bigint } | { readonly seconds: bigint },
  now: ChainTime,
): bigint {
  const slots = 'slots' in by ? by.slots : slotsBetween(now.unix, now.unix + by.seconds);
  if (slots > 0n) return slots;
  throw new CodedError('INVALID_DECIMAL', { text: `${slots}`, reason: 'it is not positive' });
}
