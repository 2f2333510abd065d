import type { Address } from '@tidegate/core/base';
import { kvaultRejection } from '@tidegate/core/protocol/kvault';
import type { InvokeContext } from '../../runtime/program.ts';
import { tokenAmountOf } from './account-checks.ts';

type ErrorName = Parameters<typeof kvaultRejection>[0];

/** The payout that an operation has computed. */
export type VaultPayout = {
  readonly availableToSendToUser: bigint;
  readonly investedToDisinvestCtokens: bigint;
  readonly investedLiquidityToDisinvest: bigint;
  readonly investedLiquidityToSendToUser: bigint;
};

/** Token accounts that a payout moves. The last two exist only for a withdrawal from a reserve. */
export type PayoutAccounts = {
  readonly receiver: Address;
  readonly tokenVault: Address;
  readonly ctokenVault?: Address;
  readonly reserveLiquiditySupply?: Address;
};

export type PayoutBalances = {
  readonly receiver: bigint;
  readonly tokens: bigint;
  readonly ctokens: bigint;
  readonly supply: bigint;
};

export function payoutBalances(call: InvokeContext, accounts: PayoutAccounts): PayoutBalances {
  const { receiver, tokenVault, ctokenVault, reserveLiquiditySupply } = accounts;
  const reserveBalance = (address: Address | undefined) =>
    address === undefined ? 0n : tokenAmountOf(call, address);
  return {
    receiver: tokenAmountOf(call, receiver),
    tokens: tokenAmountOf(call, tokenVault),
    ctokens: reserveBalance(ctokenVault),
    supply: reserveBalance(reserveLiquiditySupply),
  };
}

/** Before the transfer: the lending program must have paid out the user's amount. */
export function requireDisinvested(
  received: bigint,
  { investedLiquidityToSendToUser }: VaultPayout,
): void {
  if (received >= investedLiquidityToSendToUser) return;
  const reason = `the reserve gave ${received} for ${investedLiquidityToSendToUser}`;
  throw kvaultRejection('NotEnoughLiquidityDisinvestedToSendToUser', reason);
}

/**
 * After the transfer: every balance must have changed as computed. `failAs`: one error for all
 * checks.
 */
export function checkPayout(
  payout: VaultPayout,
  [before, after]: readonly [PayoutBalances, PayoutBalances],
  failAs?: ErrorName,
): void {
  const sent = payout.availableToSendToUser + payout.investedLiquidityToSendToUser;
  const released = before.supply - after.supply;
  const checks: readonly (readonly [ErrorName, expected: bigint, found: bigint])[] = [
    ['AmountToWithdrawDoesNotMatch', sent, released + before.tokens - after.tokens],
    [
      'LiquidityToWithdrawDoesNotMatch',
      payout.investedToDisinvestCtokens,
      before.ctokens - after.ctokens,
    ],
    ['UserReceivedAmountDoesNotMatch', sent, after.receiver - before.receiver],
    ['DisinvestedLiquidityAmountDoesNotMatch', payout.investedLiquidityToDisinvest, released],
  ];
  for (const [name, expected, found] of checks) {
    if (found !== expected) {
      throw kvaultRejection(failAs ?? name, `${found} moved instead of ${expected}`);
    }
  }
}
