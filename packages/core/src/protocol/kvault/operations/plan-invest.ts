import type { Address } from '../../../base/encoding/address.ts';
import { type CodedError, hasCode } from '../../../base/errors.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { findAllocation } from './allocation.ts';
import { type InvestEffects, investRefreshed, refreshTargets } from './invest.ts';
import type { VaultContext } from './refresh-vault.ts';

export type PlannedInvestment = {
  readonly reserve: Address;
  readonly invested: Sf;
  readonly target: Sf;
  readonly outcome:
    | { readonly kind: 'moves'; readonly effects: InvestEffects }
    | { readonly kind: 'rejected'; readonly error: CodedError<'PROGRAM_REFUSES'> };
};

/** The effect of `invest` on each reserve as the next call. Ignores the limits of the lending program. */
export function planInvest(
  vault: VaultState,
  context: VaultContext,
  whitelisted: ReadonlySet<Address>,
): PlannedInvestment[] {
  const refreshed = refreshTargets(vault, context);
  return refreshed.holdings.invested.map(({ reserve, liquidity }) => {
    const { tokenTargetAllocationSf: target } = findAllocation(refreshed.vault, reserve);
    const outcome = outcomeOf(() =>
      investRefreshed(refreshed, context, { reserve, whitelisted: whitelisted.has(reserve) }),
    );
    return { reserve, invested: liquidity, target, outcome };
  });
}

function outcomeOf(action: () => InvestEffects): PlannedInvestment['outcome'] {
  try {
    return { kind: 'moves', effects: action() };
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return { kind: 'rejected', error };
    throw error;
  }
}
