import { aprToApy } from '../../base/numbers/apy.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { divRatioOrZero, mulRatio, ratioOfUnits } from '../../base/numbers/ratio.ts';
import type { Slot, UnixSeconds } from '../../base/time.ts';
import type { SharePrices } from '../vaults/vault-pnl.ts';
import { type AccruedValue, ZERO_ACCRUED_VALUE } from './accrued-value.ts';
import {
  accrueShares,
  type ShareInterval,
  type UserVaultPoint,
  viewUserVaultPoint,
} from './user-vault-history.ts';
import {
  type ChargedShareSample,
  chargedTokensPerShare,
  sampleSharePrices,
  usdPerShare,
  type VaultShareSample,
} from './vault-share-sample.ts';

/** A wallet's shares in a vault from a slot on, in smallest units. */
export type UserSharesChange = {
  readonly slot: Slot;
  readonly at: UnixSeconds;
  readonly shares: bigint;
  /** Whole tokens per whole share paid or received; undefined for a change without a price, as a transfer. */
  readonly tokensPerShare: Ratio | undefined;
};

/** A sample of a vault. */
export type VaultEarningSample = VaultShareSample &
  ChargedShareSample & {
    /** Orders samples and changes within the same second. */
    readonly slot: Slot;
    /** Simple yearly rate. */
    readonly theoreticalApr: Ratio;
    /** Whole tokens for all shares. */
    readonly interestPerSecond: Ratio;
  };

type SampledPoint<Sample> = {
  readonly sample: Sample;
  /** The position after the sample. */
  readonly progress: UserVaultProgress;
  /** Computed on demand, because most points are skipped. Undefined without shares. */
  readonly point: (() => UserVaultPoint) | undefined;
};

/** A position after a sample, from which later samples can be continued. */
export type UserVaultProgress = {
  /** Of the sample. */
  readonly slot: Slot;
  readonly position: Position;
  readonly sampledRate: Ratio | undefined;
};

/**
 * A position at each sample. Interest starts at zero at the first purchase; for
 * a wallet that sold everything and returns, it continues. Fees count as they accrue, so that
 * earnings fall only if the share price does. Shares that change without a price earn from the last
 * sample on. Changes and samples must ascend. `before` continues after the samples of an earlier call with the same
 * changes.
 */
export function* iterateUserVaultPoints<Sample extends VaultEarningSample>(
  changes: readonly UserSharesChange[],
  samples: Iterable<Sample>,
  before?: UserVaultProgress,
): Generator<SampledPoint<Sample>> {
  let position = before?.position ?? NO_POSITION;
  let sampledRate = before?.sampledRate;
  let next = before === undefined ? 0 : changes.filter(({ slot }) => slot <= before.slot).length;
  for (const sample of samples) {
    const prices = sampleSharePrices(sample);
    const interval = { ...prices, sharesDecimals: BigInt(sample.sharesDecimals) };
    for (let change = changes[next]; change && change.slot <= sample.slot; change = changes[next]) {
      const rate = change.tokensPerShare ?? sampledRate;
      position = { ...accrueTo(position, rate, interval), shares: change.shares };
      next += 1;
    }
    sampledRate = sample.sharesIssued === 0n ? undefined : chargedTokensPerShare(sample);
    position = accrueTo(position, sampledRate, interval);
    const progress = { slot: sample.slot, position, sampledRate };
    if (position.shares === 0n) {
      yield { sample, progress, point: undefined };
      continue;
    }
    const { accrued } = position;
    const shares = ratioOfUnits(position.shares, interval.sharesDecimals);
    const point = () => viewUserVaultPoint(shares, pointInput(sample, prices), accrued);
    yield { sample, progress, point };
  }
}

type Position = {
  readonly shares: bigint;
  /** Whole tokens per whole share at the last update. */
  readonly rate: Ratio | undefined;
  readonly accrued: AccruedValue;
};

const NO_POSITION: Position = { shares: 0n, rate: undefined, accrued: ZERO_ACCRUED_VALUE };

type IntervalInput = Omit<ShareInterval, 'shares' | 'from' | 'to'>;

/** Everything between two samples is valued at the prices of the later one. */
function accrueTo(position: Position, to: Ratio | undefined, interval: IntervalInput): Position {
  const { shares, rate: from, accrued } = position;
  if (to === undefined) return position;
  if (from === undefined || shares === 0n) return { ...position, rate: to };
  return {
    ...position,
    rate: to,
    accrued: accrueShares(accrued, { ...interval, shares, from, to }),
  };
}

function pointInput(sample: VaultEarningSample, prices: SharePrices) {
  const { tokenPrice, solPrice } = prices;
  const usd = mulRatio(sample.interestPerSecond, tokenPrice);
  return {
    sharePrice: usdPerShare(prices),
    solPrice,
    sharesIssued: ratioOfUnits(sample.sharesIssued, BigInt(sample.sharesDecimals)),
    apyTheoretical: aprToApy(sample.theoreticalApr),
    interestPerSecond: {
      tokens: sample.interestPerSecond,
      usd,
      sol: divRatioOrZero(usd, solPrice),
    },
  };
}
