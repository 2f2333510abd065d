import type { Address } from '../../base/encoding/address.ts';
import type { BuildContext } from '../build.ts';
import type { Plan } from '../plan.ts';
import {
  isWrappedSol,
  readWalletToken,
  type WalletToken,
  walletTokenAddress,
} from '../wallet/token-accounts.ts';
import { existingAccount } from '../wallet/wallet-accounts.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';

/** What comes into the wallet's account of a token, or leaves it; SOL that is wrapped comes in. */
export type TokenDelta = {
  readonly token: WalletToken & { readonly decimals: number };
  readonly added: bigint;
};

type Done = {
  readonly plan: Plan;
  readonly moved: readonly TokenDelta[];
  /** Lamports of the wallet that were wrapped. */
  readonly wrapped: bigint;
};

/** What is left in the wallet of a build, rent included. */
export function computeWalletChanges(
  { plan, moved, wrapped }: Done,
  scene: BuildContext,
): Pick<SimulationOutcome, 'tokens' | 'lamports'> {
  const tokens = moved.map(({ token, added }) => {
    const isUnwrapped = isWrappedSol(token) && closes(plan, walletTokenAddress(token));
    const change = isUnwrapped ? -(readWalletToken(token, scene)?.amount ?? 0n) : added;
    return { mint: token.mint, decimals: token.decimals, change };
  });
  const refunds = moved.map((each) => refundOf(each, plan, scene));
  return {
    tokens: tokens.filter(({ change }) => change !== 0n),
    lamports: refunds.reduce((sum, refund) => sum + refund, -wrapped - plan.rentLamports),
  };
}

/** All that is in an account when it is closed. */
function refundOf({ token, added }: TokenDelta, plan: Plan, scene: BuildContext): bigint {
  const account = walletTokenAddress(token);
  if (!closes(plan, account)) return 0n;
  const created = plan.creates.find(({ address }) => address === account);
  const lamports = existingAccount(account, scene)?.lamports ?? created?.rentLamports ?? 0n;
  return isWrappedSol(token) ? lamports + added : lamports;
}

const closes = (plan: Plan, account: Address): boolean =>
  plan.closes.some(({ address }) => address === account);
