import {
  type Commitment,
  type EpochSchedule,
  type Slot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { hasCode } from '../../errors.ts';
import type { LedgerReader, ListedTransaction, SignaturesQuery } from '../source/ledger-reader.ts';
import type { RpcCall } from './json-rpc.ts';
import {
  requireArray,
  requireInteger,
  requireObject,
  requireSlot,
  requireString,
} from './response-values.ts';
import type { BatchedCalls } from './rpc-batch.ts';
import { TransactionBatches } from './transaction-batches.ts';
import { readTransactionStatus } from './transaction-status.ts';

type SendRequest = <Value>(
  method: RpcCall['method'],
  params: RpcCall['params'],
  read: (result: unknown) => Value,
) => Promise<Value>;

/** Sends one request with several calls; `read` is applied to each result. */
type SendBatch = <Value>(
  calls: Pick<BatchedCalls, 'method' | 'params'>,
  read: (result: unknown) => Value,
) => Promise<readonly Value[]>;

/** Reads transactions from an endpoint. Nodes serve only confirmed or finalized transactions, not processed ones. */
export function createRpcLedger(
  send: SendRequest,
  sendBatch: SendBatch,
  source: { readonly name: string; readonly commitment: Commitment },
): LedgerReader {
  const commitment = source.commitment === 'processed' ? 'confirmed' : source.commitment;
  const transactionConfig = { encoding: 'json', maxSupportedTransactionVersion: 0, commitment };
  const getTransaction = (signature: string) =>
    send('getTransaction', [signature, transactionConfig], parseTransaction);
  const batches = new TransactionBatches();
  const readBatch = (signatures: readonly string[]) => {
    const params = signatures.map((signature) => [signature, transactionConfig]);
    return sendBatch({ method: 'getTransaction', params }, parseTransaction);
  };
  const readBlock = async <Value>(
    slot: Slot,
    transactionDetails: 'signatures' | 'full',
    parse: (block: unknown) => Value | undefined,
  ): Promise<Value | undefined> => {
    const config = { ...transactionConfig, transactionDetails, rewards: false };
    try {
      return await send('getBlock', [Number(slot), config], parse);
    } catch (error) {
      if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
      throw error;
    }
  };
  const listBlocks = (first: Slot, last: Slot) =>
    send('getBlocks', [Number(first), Number(last), { commitment }], (result) =>
      requireArray(result, 'list of blocks').map((slot) => requireSlot(slot, 'block')),
    );
  return {
    listSignatures: ({ address, ...range }: SignaturesQuery) =>
      send('getSignaturesForAddress', [address, { ...range, commitment }], (result) =>
        requireArray(result, 'list of signatures').map(parseListedTransaction),
      ),
    getTransactions: (signatures) =>
      batches.read(signatures, { readBatch, readOne: getTransaction }),
    getTransactionStatus: (query) =>
      readTransactionStatus(query, { send, commitment, listBlocks, name: source.name }),
    getBlockSignatures: (slot) => readBlock(slot, 'signatures', parseBlockSignatures),
    getBlockTransactions: (slot) =>
      readBlock(slot, 'full', (block) => parseBlockTransactions(block, slot)),
    getFirstAvailableSlot: () =>
      send('getFirstAvailableBlock', [], (result) => requireSlot(result, 'first available slot')),
    getEpochSchedule: () => send('getEpochSchedule', [], parseEpochSchedule),
    listBlocks,
    async getBlockTime(slot) {
      try {
        return await send('getBlockTime', [Number(slot)], parseBlockTime);
      } catch (error) {
        if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
        throw error;
      }
    },
    getFinalizedSlot: () =>
      send('getSlot', [{ commitment: 'finalized' }], (result) =>
        requireSlot(result, 'finalized slot'),
      ),
  };
}

const parseTransaction = (result: unknown): Readonly<Record<string, unknown>> | undefined =>
  result === null ? undefined : requireObject(result, 'transaction');

function parseListedTransaction(value: unknown): ListedTransaction {
  const { signature, slot, blockTime, err } = requireObject(value, 'listed signature');
  return {
    signature: requireString(signature, 'signature'),
    slot: requireSlot(slot, 'slot of a signature'),
    at:
      blockTime === null || blockTime === undefined
        ? undefined
        : toUnixSeconds(BigInt(requireInteger(blockTime, 'time of a signature'))),
    failed: err !== null && err !== undefined,
  };
}

function parseBlockSignatures(result: unknown): readonly string[] | undefined {
  if (result === null) return undefined;
  const { signatures } = requireObject(result, 'block');
  return requireArray(signatures, 'signatures of a block').map((each) =>
    requireString(each, 'signature'),
  );
}

/** The fields that a block has only once, as `getTransaction` has them. */
function parseBlockTransactions(result: unknown, slot: Slot): readonly unknown[] | undefined {
  if (result === null) return undefined;
  const { transactions, blockTime = null } = requireObject(result, 'block');
  return requireArray(transactions, 'transactions of a block').map((each, transactionIndex) => ({
    ...requireObject(each, 'transaction of a block'),
    slot: Number(slot),
    blockTime,
    transactionIndex,
  }));
}

function parseEpochSchedule(result: unknown): EpochSchedule {
  const fields = requireObject(result, 'epoch schedule');
  const read = (name: string) => BigInt(requireInteger(fields[name], `${name} of the epochs`));
  return {
    slotsPerEpoch: read('slotsPerEpoch'),
    firstNormalEpoch: read('firstNormalEpoch'),
    firstNormalSlot: read('firstNormalSlot'),
  };
}

const parseBlockTime = (result: unknown): UnixSeconds | undefined =>
  result === null ? undefined : toUnixSeconds(BigInt(requireInteger(result, 'time of a block')));
