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
    | { readonly kind: 'refused'; readonly error: CodedError<'PROGRAM_REFUSES'> };
};

/**
 * What `invest` would do to each reserve if it were the next to be called. The lending program's own
 * limits are not looked at.
 */
export function planInvest(
  vault: VaultState,
  moment: VaultContext,
  whitelisted: ReadonlySet<Address>,
): PlannedInvestment[] {
  const refreshed = refreshTargets(vault, moment);
  return refreshed.holdings.invested.map(({ reserve, liquidity }) => {
    const { tokenTargetAllocationSf: target } = findAllocation(refreshed.vault, reserve);
    const outcome = outcomeOf(() =>
      investRefreshed(refreshed, moment, { reserve, whitelisted: whitelisted.has(reserve) }),
    );
    return { reserve, invested: liquidity, target, outcome };
  });
}

function outcomeOf(action: () => InvestEffects): PlannedInvestment['outcome'] {
  try {
    return { kind: 'moves', effects: action() };
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return { kind: 'refused', error };
    throw error;
  }
}
