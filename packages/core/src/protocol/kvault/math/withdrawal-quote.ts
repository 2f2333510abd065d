import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { ceilSf, floorSf, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { kvaultRejection } from '../errors.ts';
import { type SharePool, worthOfShares } from './shares.ts';
import { type PenaltyRates, penaltyOfGross } from './withdrawal-penalty.ts';

/** In lamports. `net` is the payout if enough tokens are available. */
export type WithdrawalQuote = {
  readonly total: Lamports;
  readonly penalty: Lamports;
  readonly net: Lamports;
};

/** The payout of the program for shares. Throws if the program rejects it. */
export function withdrawalQuote(
  pool: SharePool,
  terms: PenaltyRates,
  shares: bigint,
): WithdrawalQuote {
  if (pool.aum === 0n) throw kvaultRejection('VaultAUMZero', 'the AUM of the vault is zero');
  const quote = netOfPenalty(pool, terms, shares);
  const { total, penalty } = quote;
  if (total === 0n) {
    throw kvaultRejection(
      'CannotWithdrawZeroLamports',
      `${shares} shares are worth less than one lamport`,
    );
  }
  if (penalty >= total) {
    const reason = `the penalty of ${penalty} is at least the value of ${total}`;
    throw kvaultRejection('WithdrawAmountLessThanWithdrawalPenalty', reason, {
      unit: 'token',
      needed: penalty,
      available: total,
    });
  }
  return quote;
}

/** The value is rounded down and the penalty up. `net` is 0 if the penalty takes all. */
export function netOfPenalty(
  pool: SharePool,
  terms: PenaltyRates,
  shares: bigint,
): WithdrawalQuote {
  const total = toLamports(floorSf(worthOfShares(pool, shares)));
  const penalty = toLamports(ceilSf(penaltyOfGross(terms, sfFromInt(total))));
  return { total, penalty, net: toLamports(total > penalty ? total - penalty : 0n) };
}
