import type { Address } from '@tidegate/core/base';
import type { Keys } from './seed/seeded-keys.ts';

export const WALLETS = 100;

/** The wallet that a newcomer is shown. */
export const DEMO_WALLET = 0;

export const walletAddress = (keys: Keys, wallet: number): Address => keys(`wallet/${wallet}`);

export const walletAddresses = (keys: Keys): readonly Address[] =>
  Array.from({ length: WALLETS }, (_, wallet) => walletAddress(keys, wallet));

/** Who takes the other side of every swap, and has what tokens nobody else has. */
export const marketMaker = (keys: Keys): Address => keys('market maker');
