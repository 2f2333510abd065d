import { CodedError } from '../base/errors.ts';
import { parseUnits } from '../base/numbers/decimal.ts';
import { U64_MAX } from '../base/numbers/lamports.ts';
import type { AmountOrAll } from './build.ts';

/** Both texts mean the whole balance, where that is allowed. */
const ALL_TEXTS = ['U64::MAX', U64_MAX.toString()];

/** Parses a decimal amount of whole tokens into smallest units, without rounding. */
export function parseAmount(text: string, decimals: number): bigint {
  if (text === 'U64::MAX') throw overflow(text, decimals);
  const amount = parseUnits(text, decimals);
  if (amount === 0n) {
    throw new CodedError('INVALID_DECIMAL', { text, reason: 'it must be above zero' });
  }
  // The programs treat the largest number as the whole balance, which was not requested.
  if (amount >= U64_MAX) throw overflow(text, decimals);
  return amount;
}

/** Like `parseAmount`, but `U64::MAX` and the largest number mean the whole balance. */
export function parseAmountOrMax(text: string, decimals: number): AmountOrAll {
  if (ALL_TEXTS.includes(text)) return 'all';
  return parseUnits(text, decimals) === U64_MAX ? 'all' : parseAmount(text, decimals);
}

const overflow = (text: string, decimals: number): CodedError =>
  new CodedError('DECIMAL_TO_LAMPORTS_OVERFLOW', { text, decimals });
