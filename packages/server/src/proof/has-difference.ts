import type { SlotProof } from '@tidegate/localnet/replay';

export const hasDifference = ({ accounts, transactions }: SlotProof): boolean =>
  [...accounts, ...transactions].some(({ verdict }) => verdict === 'differing');
