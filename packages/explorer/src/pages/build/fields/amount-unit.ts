import type { BuildFields } from '../../../routing/build-fields.ts';
import { vaultTokenSymbol } from '../../../vaults/vault-token.ts';
import type { Choices } from '../form-props.ts';

/** Symbol of the token, or shares; empty until it is chosen. */
export function amountUnit(
  { action, reserve, debt, vault }: BuildFields,
  { markets, vaults }: Pick<Choices, 'markets' | 'vaults'>,
): string {
  if (action === 'vault-withdraw') return 'shares';
  const reserves = markets.flatMap(({ reserves: list = [] }) => list);
  if (action === 'vault-deposit') {
    const found = vaults.find(({ address }) => address === vault);
    return vaultTokenSymbol(found, reserves) || 'tokens of the vault';
  }
  const chosen = action === 'liquidate' ? debt : reserve;
  return reserves.find((each) => each.reserve === chosen)?.liquidityToken ?? '';
}
