import { type Commitment, hasCode, toUnixSeconds } from '@tidegate/core/base';
import type { LedgerReader, ListedTransaction, SignaturesQuery } from '../source/ledger-reader.ts';
import type { RpcCall } from './json-rpc.ts';
import {
  requireArray,
  requireInteger,
  requireObject,
  requireSlot,
  requireString,
} from './response-values.ts';

type Ask = <Value>(
  method: RpcCall['method'],
  params: RpcCall['params'],
  read: (result: unknown) => Value,
) => Promise<Value>;

/** Requests for transactions that are under way at the same time. */
const AT_ONCE = 8;

/** What an endpoint tells of transactions. A node serves them from `confirmed` on, never what is only processed. */
export function createRpcLedger(ask: Ask, asked: Commitment): LedgerReader {
  const commitment = asked === 'processed' ? 'confirmed' : asked;
  const form = { encoding: 'json', maxSupportedTransactionVersion: 0, commitment };
  const one = (signature: string) =>
    ask('getTransaction', [signature, form], (result) =>
      result === null ? undefined : requireObject(result, 'transaction'),
    );
  return {
    listSignatures: ({ address, ...range }: SignaturesQuery) =>
      ask('getSignaturesForAddress', [address, { ...range, commitment }], (result) =>
        requireArray(result, 'list of signatures').map(readListed),
      ),
    async getTransactions(signatures) {
      const found: unknown[] = [];
      const rest = signatures.entries();
      const worker = async () => {
        for (const [index, signature] of rest) found[index] = await one(signature);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return found;
    },
    async getBlockSignatures(slot) {
      const details = { transactionDetails: 'signatures', rewards: false };
      const config = { ...details, maxSupportedTransactionVersion: 0, commitment };
      try {
        return await ask('getBlock', [Number(slot), config], readBlock);
      } catch (error) {
        if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
        throw error;
      }
    },
    getFinalizedSlot: () =>
      ask('getSlot', [{ commitment: 'finalized' }], (result) =>
        requireSlot(result, 'finalized slot'),
      ),
  };
}

function readListed(value: unknown): ListedTransaction {
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

function readBlock(result: unknown): readonly string[] | undefined {
  if (result === null) return undefined;
  const { signatures } = requireObject(result, 'block');
  return requireArray(signatures, 'signatures of a block').map((each) =>
    requireString(each, 'signature'),
  );
}
