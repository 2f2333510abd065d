import type { PositionKey } from '../../history/queries/position-kinds.ts';
import type { Batch } from '../../history/writing/batch.ts';

/** The positions whose states a batch has. */
export const positionsIn = ({
  obligationStates = [],
  vaultHoldings = [],
  farmStakes = [],
}: Batch): readonly PositionKey[] => [
  ...obligationStates.map(({ obligation: address }) => ({ kind: 'loan' as const, address })),
  ...vaultHoldings.map(({ wallet, vault }) => ({ kind: 'shares' as const, wallet, vault })),
  ...farmStakes.map(({ userState: address }) => ({ kind: 'stake' as const, address })),
];
