import { type Slot, toSlot } from '@tidegate/core/base';
import { rentExemptLamports } from '@tidegate/core/protocol/spl';
import {
  blockHeightOf,
  blockhashOf,
  genesisHashOf,
  isRecentBlockhash,
  MAX_BLOCKHASH_AGE,
} from '../../runtime/blockhash.ts';
import { SLOT_MS, SLOTS_PER_EPOCH } from '../../runtime/slot-time.ts';
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
const SLOTS_PER_SAMPLE = (SAMPLE_SECONDS * 1000n) / SLOT_MS;
const MAX_SAMPLES = 720;
const MAX_FEE_ADDRESSES = 128;
const FEE_SLOTS = 150n;

export function getSlot(endpoint: RpcNode, params: unknown): Json {
  const [options] = readArguments(params, { least: 0, most: 1 });
  return bankViewFor(endpoint, readConfigParam(options, 'RpcContextConfig')).time.slot;
}

export function getBlockHeight(endpoint: RpcNode, params: unknown): Json {
  const [options] = readArguments(params, { least: 0, most: 1 });
  return blockHeightOf(
    bankViewFor(endpoint, readConfigParam(options, 'RpcContextConfig')).time.slot,
  );
}

/** Of blocks that are at least confirmed. */
export function getBlockTime(endpoint: RpcNode, params: unknown): Json {
  const [given] = readArguments(params, { least: 1, most: 1 });
  const slot = readSlot(given);
  if (slot > endpoint.slot('confirmed')) throw blockNotAvailable(slot);
  return endpoint.bank.timeOf(slot).unix;
}

export function getEpochInfo(endpoint: RpcNode, params: unknown): Json {
  const [options] = readArguments(params, { least: 0, most: 1 });
  const { slot } = bankViewFor(endpoint, readConfigParam(options, 'RpcContextConfig')).time;
  const blockHeight = blockHeightOf(slot);
  return {
    absoluteSlot: slot,
    blockHeight,
    epoch: slot / SLOTS_PER_EPOCH,
    slotIndex: slot % SLOTS_PER_EPOCH,
    slotsInEpoch: SLOTS_PER_EPOCH,
    // one vote a block
    transactionCount: blockHeight,
  };
}

export function getLatestBlockhash(endpoint: RpcNode, params: unknown): Json {
  const [options] = readArguments(params, { least: 0, most: 1 });
  const view = bankViewFor(endpoint, readConfigParam(options, 'RpcContextConfig'));
  const { slot } = view.time;
  return withContext(view, {
    blockhash: blockhashOf(endpoint.seed, slot),
    lastValidBlockHeight: blockHeightOf(slot) + MAX_BLOCKHASH_AGE,
  });
}

export function isBlockhashValid(endpoint: RpcNode, params: unknown): Json {
  const [given, options] = readArguments(params, { least: 1, most: 2 });
  const blockhash = readHash(given);
  const view = bankViewFor(endpoint, readConfigParam(options, 'RpcContextConfig'));
  return withContext(view, isRecentBlockhash(endpoint.seed, blockhash, view.time.slot));
}

export function getMinimumBalanceForRentExemption(_endpoint: RpcNode, params: unknown): Json {
  const [given, options] = readArguments(params, { least: 1, most: 2 });
  const bytes = readInteger(given, 'usize');
  readConfigParam(options, 'CommitmentConfig');
  if (bytes > MAX_ACCOUNT_BYTES) throw invalidRequest();
  return rentExemptLamports(bytes);
}

/** Nobody competes for a place in a block here. */
export function getRecentPrioritizationFees(endpoint: RpcNode, params: unknown): Json {
  const [given] = readArguments(params, { least: 0, most: 1 });
  const addresses = readOptional(given, readArray) ?? [];
  if (addresses.length > MAX_FEE_ADDRESSES) {
    throw invalidParams(`Too many inputs provided; max ${MAX_FEE_ADDRESSES}`);
  }
  addresses.forEach(readAddress);
  const newest = endpoint.slot('processed');
  return Array.from({ length: Number(FEE_SLOTS) }, (_, i) => ({
    slot: newest - FEE_SLOTS + 1n + BigInt(i),
    prioritizationFee: 0,
  }));
}

/** One a minute, newest first. */
export function getRecentPerformanceSamples(endpoint: RpcNode, params: unknown): Json {
  const [given] = readArguments(params, { least: 0, most: 1 });
  const limit = readOptional(given, (value) => readInteger(value, 'usize')) ?? MAX_SAMPLES;
  if (limit > MAX_SAMPLES) throw invalidParams(`Invalid limit; max ${MAX_SAMPLES}`);
  const newest = endpoint.slot('finalized') / SLOTS_PER_SAMPLE;
  return Array.from({ length: limit }, (_, i) => ({
    slot: sampleSlot(newest - BigInt(i)),
    numSlots: SLOTS_PER_SAMPLE,
    numTransactions: SLOTS_PER_SAMPLE,
    numNonVoteTransactions: 0,
    samplePeriodSecs: SAMPLE_SECONDS,
  }));
}

const sampleSlot = (sample: bigint): Slot => toSlot(sample * SLOTS_PER_SAMPLE);

export function getGenesisHash(endpoint: RpcNode, params: unknown): Json {
  readArguments(params, { least: 0, most: 0 });
  return genesisHashOf(endpoint.seed);
}

export function getVersion(_endpoint: RpcNode, params: unknown): Json {
  readArguments(params, { least: 0, most: 0 });
  return { 'feature-set': FEATURE_SET, 'solana-core': API_VERSION };
}

export function getHealth(endpoint: RpcNode, params: unknown): Json {
  readArguments(params, { least: 0, most: 0 });
  if (endpoint.isBehind) throw nodeIsBehind(endpoint.faults.lagSlots);
  return 'ok';
}
