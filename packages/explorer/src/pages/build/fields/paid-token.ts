import type { BuildFields } from '../../../routing/build-fields.ts';
import type { Choices } from '../form-props.ts';

/** Mint of the token that the wallet pays; undefined for amounts of another kind, and until the token is chosen. */
export function paidMint(
  { action, reserve, debt, vault }: BuildFields,
  { markets, vaults }: Pick<Choices, 'markets' | 'vaults'>,
): string | undefined {
  switch (action) {
    case 'deposit':
    case 'repay':
    case 'liquidate':
      return markets
        .flatMap(({ reserves = [] }) => reserves)
        .find((each) => each.reserve === (action === 'liquidate' ? debt : reserve))
        ?.liquidityTokenMint;
    case 'vault-deposit':
      return vaults.find(({ address }) => address === vault)?.state.tokenMint;
    default:
      return undefined;
  }
}
