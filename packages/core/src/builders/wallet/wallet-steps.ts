import { formatUnits } from '../../base/numbers/decimal.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import type { BuildContext } from '../build.ts';
import type { BuildStep } from '../plan.ts';
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

/** What happens in the wallet around an action. */
export type WalletSteps = {
  readonly before: readonly BuildStep[];
  readonly after: readonly BuildStep[];
  readonly notes: readonly string[];
};

const SOL_DECIMALS = 9;

/**
 * SOL is wrapped for the action. The account is closed after it unless it held wrapped SOL before, which is left
 * alone then. `left`: what the action does not take, as far as it is known.
 */
export function wrapSolAround(
  token: WalletToken,
  { lamports, left }: { readonly lamports: bigint; readonly left: bigint },
  scene: BuildContext,
): WalletSteps {
  const before = [createTokenAccountStep(token, scene), ...wrapSolSteps(token, lamports)];
  const held = readWalletToken(token, scene)?.amount ?? 0n;
  if (held > 0n) {
    const rest = left > 0n ? ` What is not taken, about ${sol(left)}, stays wrapped, too.` : '';
    const note = `The wallet's ${sol(held)} that were wrapped before stay wrapped.${rest}`;
    return { before, after: [], notes: [note] };
  }
  const why = 'Unwrap what is left and get the rent of the account back.';
  const refundLamports = accountLamports(token, scene) + left;
  return { before, after: [closeTokenAccountStep(token, { why, refundLamports })], notes: [] };
}

/** Tokens arrive in the wallet's account; SOL is unwrapped after that, all that is in it. */
export function receiveTokenSteps(
  token: WalletToken,
  received: bigint,
  scene: BuildContext,
): WalletSteps {
  const before = [createTokenAccountStep(token, scene)];
  if (!isWrappedSol(token)) return { before, after: [], notes: [] };
  const held = readWalletToken(token, scene)?.amount ?? 0n;
  const note = `The wallet's ${sol(held)} that were wrapped before are unwrapped together with it.`;
  const why = 'Unwrap the SOL, so that it arrives as SOL.';
  const refundLamports = accountLamports(token, scene) + received;
  return {
    before,
    after: [closeTokenAccountStep(token, { why, refundLamports })],
    notes: held > 0n ? [note] : [],
  };
}

/** Of a wrapped account, before the action: its rent and what is wrapped. */
const accountLamports = (token: WalletToken, scene: BuildContext): bigint =>
  existingAccount(walletTokenAddress(token), scene)?.lamports ??
  rentExemptLamports(tokenAccount.size);

const sol = (lamports: bigint): string => `${formatUnits(lamports, SOL_DECIMALS)} SOL`;
