import type { Address } from '@tidegate/core/base';
import type { SeededKeys } from './seed/seeded-keys.ts';

export const WALLET_COUNT = 100;

/** The wallet with the demo positions. */
export const DEMO_WALLET_INDEX = 0;

export const walletAddress = (keys: SeededKeys, wallet: number): Address =>
  keys(`wallet/${wallet}`);

export const walletAddresses = (keys: SeededKeys): readonly Address[] =>
  Array.from({ length: WALLET_COUNT }, (_, wallet) => walletAddress(keys, wallet));

/** Counterparty of every swap; holds all tokens that nobody else holds. */
export const marketMakerAddress = (keys: SeededKeys): Address => keys('market maker');
