import type { Address } from '../../base/encoding/address.ts';
import type { BuildContext } from '../build.ts';
import type { BuildSummary } from '../build-summary.ts';
import {
  isWrappedSol,
  readWalletToken,
  type WalletToken,
  walletTokenAddress,
} from '../wallet/token-accounts.ts';
import { existingAccount } from '../wallet/wallet-accounts.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';

/** Change of a token account of the wallet; wrapping SOL adds to it. */
export type TokenDelta = {
  readonly token: WalletToken & { readonly decimals: number };
  readonly added: bigint;
};

type Changes = {
  readonly plan: BuildSummary;
  readonly moved: readonly TokenDelta[];
  /** Lamports of the wallet that were wrapped. */
  readonly wrapped: bigint;
};

/** The net changes of a build, rent included. */
export function computeWalletChanges(
  { plan, moved, wrapped }: Changes,
  context: BuildContext,
): Pick<SimulationOutcome, 'tokens' | 'lamports'> {
  const tokens = moved.map(({ token, added }) => {
    const isUnwrapped = isWrappedSol(token) && closes(plan, walletTokenAddress(token));
    const change = isUnwrapped ? -(readWalletToken(token, context)?.amount ?? 0n) : added;
    return { mint: token.mint, decimals: token.decimals, change };
  });
  const refunds = moved.map((each) => refundOf(each, plan, context));
  return {
    tokens: tokens.filter(({ change }) => change !== 0n),
    lamports: refunds.reduce((sum, refund) => sum + refund, -wrapped - plan.rentLamports),
  };
}

/** The lamports returned when the build closes the account. */
function refundOf({ token, added }: TokenDelta, plan: BuildSummary, context: BuildContext): bigint {
  const account = walletTokenAddress(token);
  if (!closes(plan, account)) return 0n;
  const created = plan.creates.find(({ address }) => address === account);
  const lamports = existingAccount(account, context)?.lamports ?? created?.rentLamports ?? 0n;
  return isWrappedSol(token) ? lamports + added : lamports;
}

const closes = (plan: BuildSummary, account: Address): boolean =>
  plan.closes.some(({ address }) => address === account);
