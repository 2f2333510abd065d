import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import type { VaultStateView } from './layout/vault-state.ts';

/**
 * An active rule of the deployed program that is newer than its public source. A nonzero field activates it. The model
 * follows its description in the interface of the program, which does not state the rounding.
 */
export type UnmodeledVaultRule = {
  readonly rule: 'deposit cap' | 'cToken allocation cap';
  readonly field: string;
  readonly value: bigint;
};

/** The active rules of a vault that are known from their description only. Values that they affect must be marked. */
export function unmodeledVaultRules(
  vault: Pick<VaultStateView, 'depositCap' | 'vaultAllocationStrategy'>,
): UnmodeledVaultRule[] {
  const rules: UnmodeledVaultRule[] = [
    { rule: 'deposit cap', field: 'depositCap', value: vault.depositCap },
  ];
  [...vault.vaultAllocationStrategy].forEach(({ reserve, ctokenAllocationCap }, i) => {
    if (reserve === ZERO_ADDRESS || ctokenAllocationCap === U64_MAX) return;
    const field = `vaultAllocationStrategy[${i}].ctokenAllocationCap`;
    rules.push({ rule: 'cToken allocation cap', field, value: ctokenAllocationCap });
  });
  return rules.filter(({ value }) => value !== 0n);
}
