import type { FarmData, ShareData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import { type Amount, U64_MAX } from './amounts.ts';
import type { VaultContext } from './vault-context.ts';

export const UNSTAKE = 'farms unstake';
export const TAKE_BACK = 'farms withdrawUnstakedDeposits';

/** Stake shares are scaled by 10^18. */
const WAD = 10n ** 18n;

export type RedemptionTerms = {
  /** Whether the vault may pay only a part of everything now. */
  readonly mayBePartial: boolean;
  /** Whether the amount is the most shares that may be redeemed. */
  readonly isMaximum: boolean;
};

/** The redeemed shares are exactly the requested ones. Everything ends with a redemption of all that is left. */
export function checkRedeemedShares(
  calls: readonly Call[],
  { findings, amount }: VaultContext,
  { mayBePartial, isMaximum }: RedemptionTerms,
): void {
  const redemptions = calls.filter(({ spec }) => spec.program === 'kvault');
  const sources = redemptions.map(({ accounts }) => accounts['reserve'] ?? '');
  if (new Set(sources).size < sources.length) {
    findings.add('REPEATED_INSTRUCTION', 'Shares are redeemed twice from the same reserve.');
  }
  const last = redemptions.at(-1);
  if (amount === 'all') {
    if (mayBePartial || isMaximum || last?.args['sharesAmount'] === U64_MAX) return;
    const message =
      'Not everything is redeemed. If the vault may pay a part only, state it: mayBePartial.';
    findings.add('WRONG_AMOUNT', message, last);
    return;
  }
  const redeemed = redemptions.reduce((sum, { args }) => sum + (args['sharesAmount'] ?? 0n), 0n);
  if (isMaximum ? redeemed > amount : redeemed !== amount) {
    const message = `${redeemed} smallest units of shares are redeemed instead of ${amount}.`;
    findings.add('WRONG_AMOUNT', message, last);
  }
}

/** With chain data exactly the missing shares are unstaked, otherwise no more than the requested ones. */
export function checkUnstakedShares(
  calls: readonly Call[],
  context: VaultContext,
  { isMaximum }: RedemptionTerms,
): void {
  const { findings, amount, shareData, farms, farm = '' } = context;
  const unstake = calls.find(({ key }) => key === UNSTAKE);
  if (unstake === undefined) return;
  const unstaked = unstake.args['stakeSharesScaled'] ?? 0n;
  if (amount !== 'all' && unstaked >= (amount + 1n) * WAD) {
    findings.add('WRONG_AMOUNT', 'More shares are unstaked than were requested.', unstake);
  }
  const data = farms[farm];
  if (shareData === undefined || data === undefined) return;
  const takesBackFirst = calls.filter(({ key }) => key === TAKE_BACK).length > 1;
  // of a withdrawal of tokens only the redeemed shares are needed
  const needed = isMaximum ? sumOfShares(calls) : amount;
  const expected =
    needed === 'all'
      ? BigInt(shareData.stakedScaled)
      : missingStake(needed, { shareData, farm: data, takesBackFirst });
  if (unstaked !== expected) {
    const message = `${unstaked} scaled shares are unstaked instead of ${expected}.`;
    findings.add('WRONG_AMOUNT', message, unstake);
  }
}

/** Everything, if one redemption takes all shares. */
function sumOfShares(calls: readonly Call[]): Amount {
  const stated = calls
    .filter(({ spec }) => spec.program === 'kvault')
    .map(({ args }) => args['sharesAmount'] ?? 0n);
  return stated.includes(U64_MAX) ? 'all' : stated.reduce((sum, shares) => sum + shares, 0n);
}

type Holding = {
  readonly shareData: ShareData;
  readonly farm: FarmData;
  readonly takesBackFirst: boolean;
};

/** The fewest stake shares that give the shares which the wallet does not hold; all of them if that is the same. */
function missingStake(amount: bigint, { shareData, farm, takesBackFirst }: Holding): bigint {
  const stakedScaled = BigInt(shareData.stakedScaled);
  const pools = { total: BigInt(farm.totalStakeScaled), amount: BigInt(farm.totalStaked) };
  const pending = { total: BigInt(farm.pendingScaled), amount: BigInt(farm.pendingAmount) };
  const taken = takesBackFirst ? amountOf(BigInt(shareData.unstakedScaled), pending) : 0n;
  const missing = amount - BigInt(shareData.inWallet) - taken;
  if (missing === amountOf(stakedScaled, pools)) return stakedScaled;
  if (pools.amount === 0n) return missing * WAD;
  return (missing * pools.total + pools.amount - 1n) / pools.amount;
}

type Pool = { readonly total: bigint; readonly amount: bigint };

const amountOf = (scaled: bigint, { total, amount }: Pool): bigint =>
  total === 0n ? 0n : (scaled * amount) / total;
