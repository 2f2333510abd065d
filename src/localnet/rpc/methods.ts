import type { Endpoint } from '../endpoint.ts';
import {
  getAccountInfo,
  getBalance,
  getMultipleAccounts,
  getProgramAccounts,
} from './account-methods.ts';
import {
  getBlockHeight,
  getBlockTime,
  getEpochInfo,
  getGenesisHash,
  getHealth,
  getLatestBlockhash,
  getMinimumBalanceForRentExemption,
  getRecentPerformanceSamples,
  getRecentPrioritizationFees,
  getSlot,
  getVersion,
  isBlockhashValid,
} from './cluster-methods.ts';
import type { Json } from './json.ts';
import {
  getTokenAccountBalance,
  getTokenAccountsByOwner,
  getTokenLargestAccounts,
  getTokenSupply,
} from './token-methods.ts';

type Method = (endpoint: Endpoint, params: unknown) => Json;

/** What is answered over HTTP. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    getAccountInfo,
    getBalance,
    getBlockHeight,
    getBlockTime,
    getEpochInfo,
    getGenesisHash,
    getHealth,
    getLatestBlockhash,
    getMinimumBalanceForRentExemption,
    getMultipleAccounts,
    getProgramAccounts,
    getRecentPerformanceSamples,
    getRecentPrioritizationFees,
    getSlot,
    getTokenAccountBalance,
    getTokenAccountsByOwner,
    getTokenLargestAccounts,
    getTokenSupply,
    getVersion,
    isBlockhashValid,
  }),
);
