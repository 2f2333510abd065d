import { type Address, parseAddress } from '@tidegate/core/base';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { isObject, type Json } from '../json.ts';
import {
  invalidParamsReason,
  isSignature,
  readArguments,
  readArray,
  readBoolean,
  readConfigParam,
  readEnum,
  readOptional,
  readString,
} from '../params.ts';
import { readCommitment } from '../request-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';
import { createSlotPoll, type SubscriptionPoll } from './slot-poll.ts';

/** `all`, `allWithVotes` or `{mentions: [address]}`; there are no votes. */
export function subscribeLogs(node: RpcNode, params: unknown): SubscriptionPoll {
  const [filter, options] = readArguments(params, { min: 1, max: 2 });
  const mentioned = readMentioned(filter);
  const commitment = readCommitment(readConfigParam(options, 'RpcTransactionLogsConfig'));
  const isMentioned = ({ accounts }: TransactionRecord): boolean =>
    mentioned === undefined || accounts.some(({ address }) => address === mentioned);
  return createSlotPoll(node, commitment, (after, upTo) =>
    node.transactions.ledger
      .between(after, upTo)
      .filter(isMentioned)
      .map(({ signature, error, logs, time }) => ({
        context: { slot: time.slot },
        value: { signature, err: error ?? null, logs },
      })),
  );
}

/** Undefined for all. */
function readMentioned(filter: unknown): Address | undefined {
  const [name, ...more] = isObject(filter) ? Object.keys(filter) : [filter];
  if (more.length > 0) throw invalidParamsReason('expected value');
  const kind = readEnum(name, ['all', 'allWithVotes', 'mentions']);
  if (kind !== 'mentions') return undefined;
  const keys = readArray(isObject(filter) ? filter[kind] : undefined).map(readString);
  const [key = ''] = keys;
  if (keys.length !== 1) throw invalidParams('Invalid Request: Only 1 address supported');
  const address = parseAddress(key);
  if (address === undefined) throw invalidParams('Invalid Request: Invalid mentions provided');
  return address;
}

/** Notifies once the transaction reaches the commitment and, if requested, when it is received. */
export function subscribeSignature(node: RpcNode, params: unknown): SubscriptionPoll {
  const [param, options] = readArguments(params, { min: 1, max: 2 });
  const signature = readString(param);
  const config = readConfigParam(options, 'RpcSignatureSubscribeConfig');
  const commitment = readCommitment(config);
  if (!isSignature(signature)) {
    throw invalidParams('Invalid Request: Invalid signature provided');
  }
  let isReceivedPending = readOptional(config['enableReceivedNotification'], readBoolean) ?? false;
  return () => {
    const record = node.transactions.ledger.find(signature);
    const received = node.slot('processed');
    if (record === undefined || record.time.slot > received) return { results: [], isDone: false };
    const results: Json[] = [];
    if (isReceivedPending)
      results.push({ context: { slot: received }, value: 'receivedSignature' });
    isReceivedPending = false;
    const slot = node.slot(commitment);
    const isDone = record.time.slot <= slot;
    if (isDone) results.push({ context: { slot }, value: { err: record.error ?? null } });
    return { results, isDone };
  };
}
