import type { Address } from '#core/base/encoding/address.ts';
import type { goldenReference } from './golden-reference.ts';
import { type Decimal50, divide, toDecimal50 } from './reference-lending.ts';

type Reference = ReturnType<typeof goldenReference>;

/** Limits of reserves by the documented rules, in whole tokens. This file shares no code with the code under test. */
export function referenceLimits({ reserves, stored, at }: Reference) {
  const find = (address: Address) => {
    const [reserve, account] = [reserves.get(address), stored.get(address)];
    if (reserve === undefined || account === undefined) throw new Error(`no reserve ${address}`);
    return { ...reserve, account };
  };

  /** What the reserve can pay: its liquidity, within the cap of the interval. */
  function freeTokens(
    address: Address,
    name: 'depositWithdrawalCap' | 'debtWithdrawalCap',
  ): Decimal50 {
    const { account, lamportsPerToken } = find(address);
    if (account.withdrawQueue.queuedCollateralAmount !== 0n) throw new Error('queued withdrawals');
    const cap = account.config[name];
    const available = toDecimal50(account.liquidity.totalAvailableAmount, lamportsPerToken);
    if (cap.configIntervalLengthSeconds === 0n) return available;
    const isOver = at.unix - cap.lastIntervalStartTimestamp >= cap.configIntervalLengthSeconds;
    const left = cap.configCapacity - (isOver ? 0n : cap.currentTotal);
    return min(available, toDecimal50(left > 0n ? left : 0n, lamportsPerToken));
  }

  /** The debt that the borrow limits and the utilization limit of the reserve leave. */
  function debtCapacities(address: Address, isOutsideGroups: boolean): Decimal50[] {
    const { account, debt, supply, lamportsPerToken } = find(address);
    const { config } = account;
    const tokens = (lamports: Decimal50) => (lamports > 0n ? lamports / lamportsPerToken : 0n);
    const outside =
      config.borrowLimitOutsideElevationGroup - account.borrowedAmountOutsideElevationGroup;
    const pct = BigInt(config.utilizationLimitBlockBorrowingAbovePct);
    return [
      tokens(toDecimal50(config.borrowLimit) - debt),
      ...(isOutsideGroups ? [tokens(toDecimal50(outside))] : []),
      ...(pct === 0n ? [] : [tokens((supply * pct) / 100n - debt)]),
    ];
  }

  /** What the borrower receives of a debt that includes the fee. */
  function withoutFee(address: Address, debt: Decimal50): Decimal50 {
    const rate = toDecimal50(find(address).account.config.fees.originationFeeSf, 2n ** 60n);
    return divide(debt, toDecimal50(1n) + rate);
  }

  return { freeTokens, debtCapacities, withoutFee };
}

const min = (a: Decimal50, b: Decimal50): Decimal50 => (a < b ? a : b);
