import type { SlotProof } from '@tidegate/localnet/replay';

export const countDifferences = ({ accounts, transactions }: SlotProof): number =>
  [...accounts, ...transactions].filter(({ verdict }) => verdict === 'differing').length;

export const hasDifference = (proof: SlotProof): boolean => countDifferences(proof) > 0;
