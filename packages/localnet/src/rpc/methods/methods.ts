import type { Json } from '../json.ts';
import type { RpcNode } from '../rpc-node.ts';
import {
  getAccountInfo,
  getBalance,
  getMultipleAccounts,
  getProgramAccounts,
  getProgramAccountsV2,
} from './account-methods.ts';
import { getBlock, getBlocks, getBlocksWithLimit } from './block-methods.ts';
import {
  getBlockHeight,
  getBlockTime,
  getEpochInfo,
  getEpochSchedule,
  getFirstAvailableBlock,
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
import {
  getFeeForMessage,
  requestAirdrop,
  sendTransaction,
  simulateTransaction,
} from './send-methods.ts';
import {
  getTokenAccountBalance,
  getTokenAccountsByOwner,
  getTokenLargestAccounts,
  getTokenSupply,
} from './token-methods.ts';
import {
  getSignatureStatuses,
  getSignaturesForAddress,
  getTransaction,
} from './transaction-methods.ts';

type Method = (node: RpcNode, params: unknown) => Json | Promise<Json>;

const scan =
  (method: Method): Method =>
  (node, params) =>
    node.scans.run(() => method(node, params));

/** JSON-RPC methods served over HTTP. */
export const rpcMethods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    getAccountInfo,
    getBalance,
    getBlock,
    getBlockHeight,
    getBlocks,
    getBlocksWithLimit,
    getBlockTime,
    getEpochInfo,
    getEpochSchedule,
    getFeeForMessage,
    getFirstAvailableBlock,
    getGenesisHash,
    getHealth,
    getLatestBlockhash,
    getMinimumBalanceForRentExemption,
    getMultipleAccounts,
    getProgramAccounts: scan(getProgramAccounts),
    getProgramAccountsV2: scan(getProgramAccountsV2),
    getRecentPerformanceSamples,
    getRecentPrioritizationFees,
    getSignaturesForAddress,
    getSignatureStatuses,
    getSlot,
    getTokenAccountBalance,
    getTokenAccountsByOwner: scan(getTokenAccountsByOwner),
    getTokenLargestAccounts: scan(getTokenLargestAccounts),
    getTokenSupply,
    getTransaction,
    getVersion,
    isBlockhashValid,
    requestAirdrop,
    sendTransaction,
    simulateTransaction,
  }),
);
