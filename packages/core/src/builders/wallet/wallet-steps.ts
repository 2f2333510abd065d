import { formatUnits } from '../../base/numbers/decimal.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import { rentExempt } from '../../protocol/spl/rent.ts';
import type { Scene } from '../build.ts';
import type { Step } from '../plan.ts';
import {
  closeTokenStep,
  createTokenStep,
  heldToken,
  isWrappedSol,
  tokenAddress,
  type WalletToken,
  wrapSteps,
} from './token-accounts.ts';
import { createdAccount } from './wallet-accounts.ts';

/** What happens in the wallet around an action. */
export type WalletSide = {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  readonly notes: readonly string[];
};

const SOL_DECIMALS = 9;

/**
 * SOL is wrapped for the action. The account is closed after it unless it held wrapped SOL before, which is left
 * alone then. `left`: what the action does not take, as far as it is known.
 */
export function wrapSide(
  token: WalletToken,
  { lamports, left }: { readonly lamports: bigint; readonly left: bigint },
  scene: Scene,
): WalletSide {
  const before = [createTokenStep(token, scene), ...wrapSteps(token, lamports)];
  const held = heldToken(token, scene)?.amount ?? 0n;
  if (held > 0n) {
    const rest = left > 0n ? ` What is not taken, about ${sol(left)}, stays wrapped, too.` : '';
    const note = `The wallet's ${sol(held)} that were wrapped before stay wrapped.${rest}`;
    return { before, after: [], notes: [note] };
  }
  const why = 'Unwrap what is left and get the rent of the account back.';
  const refundLamports = accountLamports(token, scene) + left;
  return { before, after: [closeTokenStep(token, { why, refundLamports })], notes: [] };
}

/** Tokens arrive in the wallet's account; SOL is unwrapped after that, all that is in it. */
export function receiveSide(token: WalletToken, received: bigint, scene: Scene): WalletSide {
  const before = [createTokenStep(token, scene)];
  if (!isWrappedSol(token)) return { before, after: [], notes: [] };
  const held = heldToken(token, scene)?.amount ?? 0n;
  const note = `The wallet's ${sol(held)} that were wrapped before are unwrapped together with it.`;
  const why = 'Unwrap the SOL, so that it arrives as SOL.';
  const refundLamports = accountLamports(token, scene) + received;
  return {
    before,
    after: [closeTokenStep(token, { why, refundLamports })],
    notes: held > 0n ? [note] : [],
  };
}

/** Of a wrapped account, before the action: its rent and what is wrapped. */
const accountLamports = (token: WalletToken, scene: Scene): bigint =>
  createdAccount(tokenAddress(token), scene)?.lamports ?? rentExempt(tokenAccount.size);

const sol = (lamports: bigint): string => `${formatUnits(lamports, SOL_DECIMALS)} SOL`;
