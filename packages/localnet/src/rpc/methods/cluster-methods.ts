import { rentExemptLamports } from '@tidegate/core/protocol/spl';
import {
  blockHeightOf,
  blockhashOf,
  genesisHashOf,
  isRecentBlockhash,
  MAX_BLOCKHASH_AGE,
} from '../../runtime/blockhash.ts';
import { lastSlotBefore, SLOTS_PER_EPOCH } from '../../runtime/slot-time.ts';
import type { Json } from '../json.ts';
import {
  readAddress,
  readArguments,
  readArray,
  readConfigParam,
  readHash,
  readInteger,
  readOptional,
} from '../params.ts';
import { API_VERSION, bankViewFor, readSlot, withContext } from '../request-context.ts';
import { blockNotAvailable, invalidParams, invalidRequest, nodeIsBehind } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';

const FEATURE_SET = 3_640_012_085;
const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;
const SAMPLE_SECONDS = 60n;
const MAX_SAMPLES = 720;
const MAX_FEE_ADDRESSES = 128;
const FEE_SLOTS = 150n;

export function getSlot(node: RpcNode, params: unknown): Json {
  const [options] = readArguments(params, { min: 0, max: 1 });
  return bankViewFor(node, readConfigParam(options, 'RpcContextConfig')).time.slot;
}

export function getBlockHeight(node: RpcNode, params: unknown): Json {
  const [options] = readArguments(params, { min: 0, max: 1 });
  return blockHeightOf(bankViewFor(node, readConfigParam(options, 'RpcContextConfig')).time.slot);
}

/** Available for confirmed blocks. */
export function getBlockTime(node: RpcNode, params: unknown): Json {
  const [param] = readArguments(params, { min: 1, max: 1 });
  const slot = readSlot(param);
  if (slot > node.slot('confirmed')) throw blockNotAvailable(slot);
  return node.bank.timeOf(slot).unix;
}

export function getEpochInfo(node: RpcNode, params: unknown): Json {
  const [options] = readArguments(params, { min: 0, max: 1 });
  const { slot } = bankViewFor(node, readConfigParam(options, 'RpcContextConfig')).time;
  const blockHeight = blockHeightOf(slot);
  return {
    absoluteSlot: slot,
    blockHeight,
    epoch: slot / SLOTS_PER_EPOCH,
    slotIndex: slot % SLOTS_PER_EPOCH,
    slotsInEpoch: SLOTS_PER_EPOCH,
    // One vote per block.
    transactionCount: blockHeight,
  };
}

/** All epochs have full length. */
export function getEpochSchedule(_node: RpcNode, params: unknown): Json {
  readArguments(params, { min: 0, max: 0 });
  return {
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  };
}

export function getLatestBlockhash(node: RpcNode, params: unknown): Json {
  const [options] = readArguments(params, { min: 0, max: 1 });
  const view = bankViewFor(node, readConfigParam(options, 'RpcContextConfig'));
  const { slot } = view.time;
  return withContext(view, {
    blockhash: blockhashOf(node.seed, slot),
    lastValidBlockHeight: blockHeightOf(slot) + MAX_BLOCKHASH_AGE,
  });
}

export function isBlockhashValid(node: RpcNode, params: unknown): Json {
  const [param, options] = readArguments(params, { min: 1, max: 2 });
  const blockhash = readHash(param);
  const view = bankViewFor(node, readConfigParam(options, 'RpcContextConfig'));
  return withContext(view, isRecentBlockhash(node.seed, blockhash, view.time.slot));
}

export function getMinimumBalanceForRentExemption(_node: RpcNode, params: unknown): Json {
  const [param, options] = readArguments(params, { min: 1, max: 2 });
  const bytes = readInteger(param, 'usize');
  readConfigParam(options, 'CommitmentConfig');
  if (bytes > MAX_ACCOUNT_BYTES) throw invalidRequest();
  return rentExemptLamports(bytes);
}

/** Always 0: blocks are never full. */
export function getRecentPrioritizationFees(node: RpcNode, params: unknown): Json {
  const [param] = readArguments(params, { min: 0, max: 1 });
  const addresses = readOptional(param, readArray) ?? [];
  if (addresses.length > MAX_FEE_ADDRESSES) {
    throw invalidParams(`Too many inputs provided; max ${MAX_FEE_ADDRESSES}`);
  }
  addresses.forEach(readAddress);
  const newest = node.slot('processed');
  return Array.from({ length: Number(FEE_SLOTS) }, (_, i) => ({
    slot: newest - FEE_SLOTS + 1n + BigInt(i),
    prioritizationFee: 0,
  }));
}

/** One per minute, newest first. */
export function getRecentPerformanceSamples(node: RpcNode, params: unknown): Json {
  const [param] = readArguments(params, { min: 0, max: 1 });
  const limit = readOptional(param, (value) => readInteger(value, 'usize')) ?? MAX_SAMPLES;
  if (limit > MAX_SAMPLES) throw invalidParams(`Invalid limit; max ${MAX_SAMPLES}`);
  const { bank } = node;
  const newest = bank.timeOf(node.slot('finalized')).unix / SAMPLE_SECONDS;
  const lastSlot = (minute: bigint) => lastSlotBefore(bank.origin, minute * SAMPLE_SECONDS);
  return Array.from({ length: limit }, (_, i) => {
    const minute = newest - BigInt(i);
    const slot = lastSlot(minute);
    const numSlots = slot - lastSlot(minute - 1n);
    return {
      slot,
      numSlots,
      numTransactions: numSlots,
      numNonVoteTransactions: 0,
      samplePeriodSecs: SAMPLE_SECONDS,
    };
  });
}

/** The ledger is never purged. */
export function getFirstAvailableBlock(_node: RpcNode, params: unknown): Json {
  readArguments(params, { min: 0, max: 0 });
  return 0;
}

export function getGenesisHash(node: RpcNode, params: unknown): Json {
  readArguments(params, { min: 0, max: 0 });
  return genesisHashOf(node.seed);
}

export function getVersion(_node: RpcNode, params: unknown): Json {
  readArguments(params, { min: 0, max: 0 });
  return { 'feature-set': FEATURE_SET, 'solana-core': API_VERSION };
}

export function getHealth(node: RpcNode, params: unknown): Json {
  readArguments(params, { min: 0, max: 0 });
  if (node.isBehind) throw nodeIsBehind(node.faults.lagSlots);
  return 'ok';
}
