import {
  type Confirmation,
  type FoundTransaction,
  type Slot,
  type StatusQuery,
  type TransactionStatus,
  toSlot,
} from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors.ts';
import type { LedgerReader } from '../source/ledger-reader.ts';
import type { RpcCall } from './json-rpc.ts';
import {
  malformedData,
  requireArray,
  requireContextSlot,
  requireInteger,
  requireObject,
  requireSlot,
} from './response-values.ts';

type StatusReader = {
  readonly send: <Value>(
    method: RpcCall['method'],
    params: RpcCall['params'],
    read: (result: unknown) => Value,
  ) => Promise<Value>;
  readonly commitment: Confirmation;
  readonly listBlocks: LedgerReader['listBlocks'];
  /** For errors. */
  readonly name: string;
};

type Tip = { readonly slot: Slot; readonly blockHeight: bigint };

/** A blockhash is accepted in this many blocks, and in the one in which it is still the newest. */
const BLOCKHASH_BLOCKS = 151n;
/** Slots without a block are few; this many for each block reach back far enough. */
const SLOTS_PER_BLOCK = 2n;
/** Slots in which there is a block. */
const SEARCHED_SLOTS = 1_000n;
const CONFIRMATIONS: readonly unknown[] = ['processed', 'confirmed', 'finalized'];

/**
 * Reads the height before the status, from the same node: a transaction that is unknown to a node which has all blocks up
 * to its last valid height will never land.
 */
export async function readTransactionStatus(
  { signature, lastValidBlockHeight }: StatusQuery,
  reader: StatusReader,
): Promise<TransactionStatus> {
  const { send, commitment, name } = reader;
  const tip = await send('getEpochInfo', [{ commitment }], parseTip);
  const params = [[signature], { searchTransactionHistory: true }];
  const { slot, found } = await send('getSignatureStatuses', params, parseStatus);
  // behind one address there can be several nodes
  if (slot < tip.slot) {
    throw new CodedError('SOURCE_LAGS', { source: name, slot, minSlot: tip.slot });
  }
  const { blockHeight } = tip;
  const isTooLate = lastValidBlockHeight !== undefined && blockHeight > lastValidBlockHeight;
  const isExpired =
    found === undefined && isTooLate && (await hasBlocksOf(lastValidBlockHeight, tip, reader));
  return { slot: tip.slot, blockHeight, found, isExpired };
}

/** Whether the node still has a block from before the blockhash, and so all blocks in which the transaction could be. */
async function hasBlocksOf(
  lastValidBlockHeight: bigint,
  tip: Tip,
  { send, commitment, listBlocks }: StatusReader,
): Promise<boolean> {
  const height = notNegative(lastValidBlockHeight - BLOCKHASH_BLOCKS);
  const from = toSlot(notNegative(tip.slot - (tip.blockHeight - height) * SLOTS_PER_BLOCK));
  const to = toSlot(from + SEARCHED_SLOTS < tip.slot ? from + SEARCHED_SLOTS : tip.slot);
  const config = { commitment, transactionDetails: 'none', rewards: false };
  const versions = { maxSupportedTransactionVersion: 0 };
  try {
    const [first] = await listBlocks(from, to);
    if (first === undefined) return false;
    const known = await send('getBlock', [Number(first), { ...config, ...versions }], parseHeight);
    return known !== undefined && known <= height;
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return false;
    throw error;
  }
}

const notNegative = (value: bigint): bigint => (value < 0n ? 0n : value);

function parseTip(result: unknown): Tip {
  const { absoluteSlot, blockHeight } = requireObject(result, 'epoch info');
  return {
    slot: requireSlot(absoluteSlot, 'slot of the epoch info'),
    blockHeight: BigInt(requireInteger(blockHeight, 'block height')),
  };
}

function parseHeight(result: unknown): bigint | undefined {
  if (result === null) return undefined;
  const { blockHeight } = requireObject(result, 'block');
  return blockHeight === null || blockHeight === undefined
    ? undefined
    : BigInt(requireInteger(blockHeight, 'height of a block'));
}

function parseStatus(result: unknown): {
  readonly slot: Slot;
  readonly found: FoundTransaction | undefined;
} {
  const slot = requireContextSlot(result);
  const { value } = requireObject(result, 'response');
  const [status] = requireArray(value, 'list of statuses');
  if (status === undefined) throw malformedData('list of statuses', 'it is empty');
  return { slot, found: status === null ? undefined : parseFound(status) };
}

function parseFound(status: unknown): FoundTransaction {
  const fields = requireObject(status, 'status of a transaction');
  const { slot, err, confirmations, confirmationStatus } = fields;
  const isKnown = (value: unknown): value is Confirmation => CONFIRMATIONS.includes(value);
  // older nodes send only the count, which is null once the block is finalized
  const counted = confirmations === null ? 'finalized' : 'processed';
  return {
    slot: requireSlot(slot, 'slot of a transaction'),
    confirmation: isKnown(confirmationStatus) ? confirmationStatus : counted,
    error: err ?? null,
  };
}
