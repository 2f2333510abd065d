import { formatUnits } from '../../base/numbers/decimal.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import type { BuildContext } from '../build.ts';
import type { BuildStep } from '../build-summary.ts';
import {
  closeTokenAccountStep,
  createTokenAccountStep,
  isWrappedSol,
  readWalletToken,
  type WalletToken,
  walletTokenAddress,
  wrapSolSteps,
} from './token-accounts.ts';
import { existingAccount } from './wallet-accounts.ts';

/** Wallet instructions around an action. */
export type WalletSteps = {
  readonly before: readonly BuildStep[];
  readonly after: readonly BuildStep[];
  readonly notes: readonly string[];
};

const SOL_DECIMALS = 9;

/**
 * Wraps SOL for an action. Closes the account afterwards unless it already held wrapped SOL.
 * `left`: the expected rest that the action does not use.
 */
export function wrapSolAround(
  token: WalletToken,
  { lamports, left }: { readonly lamports: bigint; readonly left: bigint },
  context: BuildContext,
): WalletSteps {
  const before = [createTokenAccountStep(token, context), ...wrapSolSteps(token, lamports)];
  const held = readWalletToken(token, context)?.amount ?? 0n;
  if (held > 0n) {
    const rest = left > 0n ? ` The unused rest, about ${sol(left)}, also stays wrapped.` : '';
    const note = `The ${sol(held)} that were already wrapped stay wrapped.${rest}`;
    return { before, after: [], notes: [note] };
  }
  const why = 'Unwrap the rest and close the account to get its rent back.';
  const refundLamports = accountLamports(token, context) + left;
  return { before, after: [closeTokenAccountStep(token, { why, refundLamports })], notes: [] };
}

/** Creates the receiving account. SOL is unwrapped afterwards, with the whole balance. */
export function receiveTokenSteps(
  token: WalletToken,
  received: bigint,
  context: BuildContext,
): WalletSteps {
  const before = [createTokenAccountStep(token, context)];
  if (!isWrappedSol(token)) return { before, after: [], notes: [] };
  const held = readWalletToken(token, context)?.amount ?? 0n;
  const note = `The ${sol(held)} that were already wrapped are unwrapped as well.`;
  const why = 'Unwrap the SOL.';
  const refundLamports = accountLamports(token, context) + received;
  return {
    before,
    after: [closeTokenAccountStep(token, { why, refundLamports })],
    notes: held > 0n ? [note] : [],
  };
}

/** Rent and balance of the wrapped SOL account before the action. */
export const accountLamports = (token: WalletToken, context: BuildContext): bigint =>
  existingAccount(walletTokenAddress(token), context)?.lamports ??
  rentExemptLamports(tokenAccount.size);

const sol = (lamports: bigint): string => `${formatUnits(lamports, SOL_DECIMALS)} SOL`;
