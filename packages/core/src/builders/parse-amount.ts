import { CodedError } from '../base/errors.ts';
import { parseUnits } from '../base/numbers/decimal.ts';
import { U64_MAX } from '../base/numbers/lamports.ts';
import type { AmountOrAll } from './build.ts';

/** Both are texts for "everything", where that is allowed. */
const ALL_TEXTS = ['U64::MAX', U64_MAX.toString()];

/** Text of whole tokens to smallest units, exactly, or refused with what to change. */
export function parseAmount(text: string, decimals: number): bigint {
  if (text === 'U64::MAX') throw overflow(text, decimals);
  const amount = parseUnits(text, decimals);
  if (amount === 0n) {
    throw new CodedError('INVALID_DECIMAL', { text, reason: 'it must be above zero' });
  }
  // the programs would take the largest number as "everything", which was not asked for
  if (amount >= U64_MAX) throw overflow(text, decimals);
  return amount;
}

/** The same, where everything may be asked for: by one of two texts, or by the largest number itself. */
export function parseAmountOrMax(text: string, decimals: number): AmountOrAll {
  if (ALL_TEXTS.includes(text)) return 'all';
  return parseUnits(text, decimals) === U64_MAX ? 'all' : parseAmount(text, decimals);
}

const overflow = (text: string, decimals: number): CodedError =>
  new CodedError('DECIMAL_TO_LAMPORTS_OVERFLOW', { text, decimals });
