import { CodedError } from '../../base/errors.ts';
import type { BuildContext } from '../build.ts';
import { MAX_LANDING_SLOTS } from '../lending/lending-amounts.ts';
import { resultOrError } from '../result-or-error.ts';
import { fewestShares } from './fewest-shares.ts';
import { runRedemption } from './run-redemption.ts';
import { planShareRedemption } from './share-redemption.ts';
import {
  formatVaultShares,
  formatVaultTokens,
  type VaultActionContext,
} from './vault-action-context.ts';

type TokenWithdrawal = {
  readonly target: VaultActionContext;
  /** The withdrawable shares of the wallet. */
  readonly total: bigint;
  /** Those in its token account; others are unstaked as needed. */
  readonly inWallet: bigint;
  readonly context: BuildContext;
};

/**
 * The fewest shares for which the vault pays at least `tokens` in every slot in which the transaction can land. The vault
 * rounds each payout down, so the wallet receives more only by what the last share is worth, and by what the shares earn
 * until the transaction lands. Throws NOTHING_TO_BUILD if the vault does not pay that much for all shares of the wallet.
 */
export function sharesForTokens(tokens: bigint, withdrawal: TokenWithdrawal): bigint {
  const { target, total } = withdrawal;
  const fewest = fewestShares(tokens, total, (shares) => payoutOf(shares, withdrawal));
  if (fewest !== undefined) return fewest;
  const all = resultOrError(() => payoutAt(0n, total, withdrawal));
  const why =
    all instanceof CodedError
      ? all.message
      : `The vault pays about ${formatVaultTokens(target, all)} for all ${formatVaultShares(target, total)} of the wallet now.`;
  const reason = `${formatVaultTokens(target, tokens)} cannot be withdrawn from the vault ${target.name}. ${why}`;
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}

/** What the vault pays for shares at the worst slot for the wallet; 0 if it rejects them. */
function payoutOf(shares: bigint, withdrawal: TokenWithdrawal): bigint {
  const ends = [0n, MAX_LANDING_SLOTS].map((laterSlots) => {
    const paid = resultOrError(() => payoutAt(laterSlots, shares, withdrawal));
    return paid instanceof CodedError ? 0n : paid;
  });
  return ends.reduce((least, paid) => (paid < least ? paid : least));
}

function payoutAt(
  laterSlots: bigint,
  shares: bigint,
  { target, total, inWallet, context }: TokenWithdrawal,
): bigint {
  const { steps } = planShareRedemption(target, { shares, total }, context);
  const held = shares > inWallet ? shares : inWallet;
  return runRedemption({ target, steps, shares: held }, context, laterSlots).paid;
}
