import {
  divSf,
  maxSf,
  mulSf,
  mulSfByRatio,
  ONE_SF,
  type Sf,
  sfFromBps,
  sfFromInt,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import type { GlobalConfigView } from '../layout/global-config.ts';
import type { VaultStateView } from '../layout/vault-state.ts';

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
