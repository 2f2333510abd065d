import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { ceilSf, floorSf, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { kvaultRejection } from '../errors.ts';
import { type SharePool, worthOfShares } from './shares.ts';
import { type PenaltyRates, penaltyOfGross } from './withdrawal-penalty.ts';

/** In lamports; `net` is what the shares would pay out if the tokens are at hand. */
export type WithdrawalQuote = {
  readonly total: Lamports;
  readonly penalty: Lamports;
  readonly net: Lamports;
};

/** What the program pays for shares, or why it does not. */
export function withdrawalQuote(
  pool: SharePool,
  terms: PenaltyRates,
  shares: bigint,
): WithdrawalQuote {
  if (pool.aum === 0n) throw kvaultRejection('VaultAUMZero', 'the vault is worth nothing');
  const quote = netOfPenalty(pool, terms, shares);
  const { total, penalty } = quote;
  if (total === 0n) {
    throw kvaultRejection('CannotWithdrawZeroLamports', `${shares} shares are worth less than one`);
  }
  if (penalty >= total) {
    const reason = `the penalty of ${penalty} takes all of the ${total} that the shares are worth`;
    throw kvaultRejection('WithdrawAmountLessThanWithdrawalPenalty', reason);
  }
  return quote;
}

/** The worth of the shares rounds down, the penalty up; `net` is 0 where the penalty takes all. */
export function netOfPenalty(
  pool: SharePool,
  terms: PenaltyRates,
  shares: bigint,
): WithdrawalQuote {
  const total = toLamports(floorSf(worthOfShares(pool, shares)));
  const penalty = toLamports(ceilSf(penaltyOfGross(terms, sfFromInt(total))));
  return { total, penalty, net: toLamports(total > penalty ? total - penalty : 0n) };
}
