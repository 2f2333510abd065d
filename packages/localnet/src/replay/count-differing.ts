import type { SlotProof } from './slot-proof.ts';

/** The number of accounts and transactions that differ. */
export const countDiffering = ({ accounts, transactions }: SlotProof): number =>
  [...accounts, ...transactions].filter(({ verdict }) => verdict === 'differing').length;
