import {
  type Commitment,
  type EpochSchedule,
  hasCode,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { LedgerReader, ListedTransaction, SignaturesQuery } from '../source/ledger-reader.ts';
import type { RpcCall } from './json-rpc.ts';
import {
  requireArray,
  requireInteger,
  requireObject,
  requireSlot,
  requireString,
} from './response-values.ts';

type SendRequest = <Value>(
  method: RpcCall['method'],
  params: RpcCall['params'],
  read: (result: unknown) => Value,
) => Promise<Value>;

/** Concurrent requests for transactions. */
const CONCURRENCY = 8;

/** Reads transactions from an endpoint. Nodes serve only confirmed or finalized transactions, not processed ones. */
export function createRpcLedger(send: SendRequest, sourceCommitment: Commitment): LedgerReader {
  const commitment = sourceCommitment === 'processed' ? 'confirmed' : sourceCommitment;
  const transactionConfig = { encoding: 'json', maxSupportedTransactionVersion: 0, commitment };
  const getTransaction = (signature: string) =>
    send('getTransaction', [signature, transactionConfig], (result) =>
      result === null ? undefined : requireObject(result, 'transaction'),
    );
  return {
    listSignatures: ({ address, ...range }: SignaturesQuery) =>
      send('getSignaturesForAddress', [address, { ...range, commitment }], (result) =>
        requireArray(result, 'list of signatures').map(parseListedTransaction),
      ),
    async getTransactions(signatures) {
      const found: unknown[] = [];
      const rest = signatures.entries();
      const worker = async () => {
        for (const [index, signature] of rest) found[index] = await getTransaction(signature);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
      return found;
    },
    async getBlockSignatures(slot) {
      const details = { transactionDetails: 'signatures', rewards: false };
      const config = { ...details, maxSupportedTransactionVersion: 0, commitment };
      try {
        return await send('getBlock', [Number(slot), config], parseBlockSignatures);
      } catch (error) {
        if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
        throw error;
      }
    },
    getFirstAvailableSlot: () =>
      send('getFirstAvailableBlock', [], (result) => requireSlot(result, 'first available slot')),
    getEpochSchedule: () => send('getEpochSchedule', [], parseEpochSchedule),
    listBlocks: (first, last) =>
      send('getBlocks', [Number(first), Number(last), { commitment }], (result) =>
        requireArray(result, 'list of blocks').map((slot) => requireSlot(slot, 'block')),
      ),
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
