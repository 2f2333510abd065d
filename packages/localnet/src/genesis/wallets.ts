import type { Address } from '@tidegate/core/base';
import type { SeededKeys } from './seed/seeded-keys.ts';

export const WALLET_COUNT = 100;

/** The wallet that a newcomer is shown. */
export const DEMO_WALLET_INDEX = 0;

export const walletAddress = (keys: SeededKeys, wallet: number): Address =>
  keys(`wallet/${wallet}`);

export const walletAddresses = (keys: SeededKeys): readonly Address[] =>
  Array.from({ length: WALLET_COUNT }, (_, wallet) => walletAddress(keys, wallet));

/** Who takes the other side of every swap, and has what tokens nobody else has. */
export const marketMakerAddress = (keys: SeededKeys): Address => keys('market maker');
