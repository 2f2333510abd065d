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
import { sampleSharePrices, usdPerShare, type VaultShareSample } from './vault-share-sample.ts';

/** What a wallet had of a vault from then on, in smallest units. */
export type UserSharesChange = {
  readonly slot: Slot;
  readonly at: UnixSeconds;
  readonly shares: bigint;
  /** Whole tokens for a whole share then; undefined where nobody traded any. */
  readonly tokensPerShare: Ratio | undefined;
};

/** A snapshot of the vault. */
export type VaultEarningSample = VaultShareSample & {
  /** A second has several slots: which of two came first is told by these. */
  readonly slot: Slot;
  /** A simple yearly rate. */
  readonly theoreticalApr: Ratio;
  /** Whole tokens, to all shares. */
  readonly interestPerSecond: Ratio;
};

type Walked<Sample> = {
  readonly sample: Sample;
  /** Made when it is asked for: most are passed over. */
  readonly point: () => UserVaultPoint;
};

/**
 * A position at each snapshot while there are shares. Interest starts at zero at the first one, and goes on from
 * what it was when a wallet that had sold everything comes back. Both ascend.
 */
export function* iterateUserVaultPoints<Sample extends VaultEarningSample>(
  changes: readonly UserSharesChange[],
  samples: Iterable<Sample>,
): Generator<Walked<Sample>> {
  let position: Position = { shares: 0n, rate: undefined, accrued: undefined };
  let next = 0;
  for (const sample of samples) {
    const prices = sampleSharePrices(sample);
    const terms = { ...prices, sharesDecimals: BigInt(sample.sharesDecimals) };
    for (let change = changes[next]; change && change.slot <= sample.slot; change = changes[next]) {
      position = { ...moveTo(position, change.tokensPerShare, terms), shares: change.shares };
      next += 1;
    }
    position = moveTo(position, prices.tokensPerShare, terms);
    if (position.shares === 0n) continue;
    const accrued = position.accrued ?? ZERO_ACCRUED_VALUE;
    position = { ...position, accrued };
    const shares = ratioOfUnits(position.shares, terms.sharesDecimals);
    yield { sample, point: () => viewUserVaultPoint(shares, factsOf(sample, prices), accrued) };
  }
}

type Position = {
  readonly shares: bigint;
  /** Whole tokens for a whole share when it was last looked at. */
  readonly rate: Ratio | undefined;
  /** Undefined before the first snapshot. */
  readonly accrued: AccruedValue | undefined;
};

type Terms = Omit<ShareInterval, 'shares' | 'from' | 'to'>;

/** All parts of the time between two snapshots are told at the prices of its end. */
function moveTo(position: Position, to: Ratio | undefined, terms: Terms): Position {
  const { shares, rate: from, accrued } = position;
  if (to === undefined) return position;
  if (accrued === undefined || from === undefined || shares === 0n)
    return { ...position, rate: to };
  return { ...position, rate: to, accrued: accrueShares(accrued, { ...terms, shares, from, to }) };
}

function factsOf(sample: VaultEarningSample, prices: SharePrices) {
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
