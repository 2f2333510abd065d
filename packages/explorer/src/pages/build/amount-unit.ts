import type { BuildFields } from '../../routing/build-fields.ts';
import { vaultTokenSymbol } from '../../vaults/vault-token.ts';
import type { Choices } from './form-props.ts';

/** Symbol of the token, or shares; empty until it is chosen. */
export function amountUnit(
  { action, reserve, vault }: BuildFields,
  { markets, vaults }: Pick<Choices, 'markets' | 'vaults'>,
): string {
  if (action === 'vault-withdraw') return 'shares';
  const reserves = markets.flatMap(({ reserves: list = [] }) => list);
  if (action === 'vault-deposit') {
    const chosen = vaults.find(({ address }) => address === vault);
    return vaultTokenSymbol(chosen, reserves) || 'tokens of the vault';
  }
  return reserves.find((each) => each.reserve === reserve)?.liquidityToken ?? '';
}
