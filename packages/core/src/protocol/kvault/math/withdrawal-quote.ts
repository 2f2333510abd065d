import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  ceilSf,
  divSf,
  floorSf,
  maxSf,
  mulSf,
  mulSfByRatio,
  ONE_SF,
  type Sf,
  sfFromBps,
  sfFromInt,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import { kvaultRejection } from '../errors.ts';
import type { GlobalConfigView } from '../layout/global-config.ts';
import type { VaultStateView } from '../layout/vault-state.ts';
import { type SharePool, worthOfShares } from './shares.ts';

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

/** The withdrawal penalty: the larger of a rate and a fixed amount. It stays in the vault. */
export type PenaltyRates = { readonly bps: bigint; readonly lamports: bigint };

type PenaltySource = Pick<
  VaultStateView | GlobalConfigView,
  'withdrawalPenaltyBps' | 'withdrawalPenaltyLamports'
>;

/** The larger of the vault's and the global value, for each rate. */
export const penaltyRates = (vault: PenaltySource, global: PenaltySource): PenaltyRates => ({
  bps: larger(vault.withdrawalPenaltyBps, global.withdrawalPenaltyBps),
  lamports: larger(vault.withdrawalPenaltyLamports, global.withdrawalPenaltyLamports),
});

/** The penalty on `gross` lamports, rounded down to 60 bits. */
export const penaltyOfGross = ({ bps, lamports }: PenaltyRates, gross: Sf): Sf =>
  maxSf(mulSfByRatio(gross, bps, FULL_BPS), sfFromInt(lamports));

/** The penalty in addition to a payout of `net` lamports, rounded down at each step. */
export function penaltyOfNet({ bps, lamports }: PenaltyRates, net: Sf): Sf {
  const share = sfFromBps(bps);
  return maxSf(divSf(mulSf(net, share), subSf(ONE_SF, share)), sfFromInt(lamports));
}

/** The largest gross amount that pays at most `net` after the penalty, which is rounded up to a lamport. */
export const maxGrossAmount = ({ bps, lamports }: PenaltyRates, net: bigint): bigint =>
  larger(ceilOf((net + 1n) * FULL_BPS, FULL_BPS - bps) - 1n, net + lamports);

/** The smallest gross amount that pays at least `net`. */
export const minGrossAmount = ({ bps, lamports }: PenaltyRates, net: bigint): bigint =>
  larger(ceilOf(net * FULL_BPS, FULL_BPS - bps), net + lamports);

const FULL_BPS = 10_000n;

const ceilOf = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
