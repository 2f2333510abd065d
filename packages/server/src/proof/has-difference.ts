import type { SlotProof } from '@tidegate/localnet/replay';

/** Here, so that the main thread does not load the models of the programs. */
export const countDifferences = ({ accounts, transactions }: SlotProof): number =>
  [...accounts, ...transactions].filter(({ verdict }) => verdict === 'differing').length;

export const hasDifference = (proof: SlotProof): boolean => countDifferences(proof) > 0;
