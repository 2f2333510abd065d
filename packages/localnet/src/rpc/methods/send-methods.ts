import { EMPTY_SIGNATURE, encodeWireTransaction } from '@tidegate/core/protocol/spl/transaction';
import {
  blockHeightOf,
  blockhashOf,
  isRecentBlockhash,
  MAX_BLOCKHASH_AGE,
} from '../../runtime/blockhash.ts';
import type { TransactionError } from '../../runtime/transaction-errors.ts';
import { loadTransaction } from '../../runtime/transactions/load-transaction.ts';
import { receiveTransaction } from '../../runtime/transactions/received-transaction.ts';
import { transactionErrorMessage } from '../encoding/error-message.ts';
import type { Json, JsonObject } from '../json.ts';
import {
  readAddress,
  readArguments,
  readBoolean,
  readConfigParam,
  readHash,
  readInteger,
  readOptional,
  readString,
} from '../params.ts';
import { bankViewFor, readCommitment, withContext } from '../request-context.ts';
import {
  invalidParams,
  nodeIsBehind,
  preflightFailure,
  signatureVerificationFailure,
} from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';
import {
  encodeBalances,
  encodeInnerInstructions,
  encodeSimulation,
  readSimulatedAccounts,
  requireLoadable,
} from './simulation-result.ts';
import { readMessageParam, readTransactionParam } from './transaction-params.ts';

/**
 * Simulates unless preflight is skipped, queues the transaction for the next slot, and returns its
 * signature.
 */
export function sendTransaction(node: RpcNode, params: unknown): Json {
  const [param, options] = readArguments(params, { min: 1, max: 2 });
  const text = readString(param);
  const config = readConfigParam(options, 'RpcSendTransactionConfig');
  const isPreflightSkipped = readOptional(config['skipPreflight'], readBoolean) ?? false;
  readOptional(config['maxRetries'], (value) => readInteger(value, 'usize'));
  const received = node.transactions.identify(readTransactionParam(text, config));
  const { preflightCommitment, minContextSlot } = config;
  const commitment = isPreflightSkipped ? 'processed' : preflightCommitment;
  const view = bankViewFor(node, { commitment, minContextSlot });
  requireLoadable(received, view);
  if (!isPreflightSkipped) {
    if (!node.transactions.verify(received)) throw signatureVerificationFailure();
    if (node.isBehind) throw nodeIsBehind(node.faults.lagSlots);
    const checks = { signatures: false, blockhash: true };
    const result = node.transactions.simulate(received, view, checks);
    const error = result.kind === 'run' ? result.record.error : result.error;
    if (error !== undefined) {
      throw preflightFailure(transactionErrorMessage(error), encodeSimulation(result, view));
    }
  }
  node.transactions.submit(received);
  return received.signature;
}

export function simulateTransaction(node: RpcNode, params: unknown): Json {
  const [param, options] = readArguments(params, { min: 1, max: 2 });
  const text = readString(param);
  const config = readConfigParam(options, 'RpcSimulateTransactionConfig');
  const flag = (name: string) => readOptional(config[name], readBoolean) ?? false;
  const [isVerified, isReplaced] = [flag('sigVerify'), flag('replaceRecentBlockhash')];
  const hasInner = flag('innerInstructions');
  const transaction = readTransactionParam(text, config);
  const view = bankViewFor(node, config);
  if (isVerified && isReplaced) {
    throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  }
  const { slot } = view.time;
  const replacement = isReplaced
    ? {
        blockhash: blockhashOf(node.seed, slot),
        lastValidBlockHeight: blockHeightOf(slot) + MAX_BLOCKHASH_AGE,
      }
    : undefined;
  const recentBlockhash = replacement?.blockhash ?? transaction.message.recentBlockhash;
  const received = { ...transaction, message: { ...transaction.message, recentBlockhash } };
  requireLoadable(received, view);
  if (isVerified && !node.transactions.verify(received)) throw signatureVerificationFailure();
  const accounts = readOptional(config['accounts'], (value) =>
    readSimulatedAccounts(value, received),
  );
  const checks = { signatures: false, blockhash: !isReplaced };
  const result = node.transactions.simulate(received, view, checks);
  return withContext(view, {
    ...encodeSimulation(result, view),
    ...encodeBalances(result),
    accounts: accounts?.(result, view) ?? null,
    innerInstructions: hasInner ? encodeInnerInstructions(result) : null,
    replacementBlockhash: replacement ?? null,
  });
}

/** Null if the blockhash has expired or belongs to another cluster. */
export function getFeeForMessage(node: RpcNode, params: unknown): Json {
  const [param, options] = readArguments(params, { min: 1, max: 2 });
  const message = readMessageParam(readString(param));
  const view = bankViewFor(node, readConfigParam(options, 'RpcContextConfig'));
  const signatures = new Array<string>(message.header.numRequiredSignatures).fill(EMPTY_SIGNATURE);
  const received = receiveTransaction(encodeWireTransaction({ signatures, message }));
  const loaded = loadTransaction(received, view, view.time.slot);
  if (typeof loaded !== 'object' || !('wire' in loaded)) {
    throw invalidParams(`invalid transaction message: ${lookupErrorMessage(loaded)}`);
  }
  const { recentBlockhash } = message;
  const isRecent = isRecentBlockhash(node.seed, recentBlockhash, view.time.slot);
  return withContext(view, isRecent ? loaded.fee : null);
}

/** Nodes use other messages if only a message is given. */
function lookupErrorMessage(error: TransactionError): string {
  switch (error) {
    case 'AddressLookupTableNotFound':
      return 'Attempted to lookup addresses from a table that does not exist';
    case 'InvalidAddressLookupTableOwner':
      return 'Attempted to lookup addresses from an account owned by the wrong program';
    case 'InvalidAddressLookupTableData':
      return 'Attempted to lookup addresses from an invalid account';
    case 'InvalidAddressLookupTableIndex':
      return 'Address lookup contains an invalid index';
    default:
      return transactionErrorMessage(error);
  }
}

/** A transfer from the faucet, which lands in the next slot. Returns its signature. */
export function requestAirdrop(node: RpcNode, params: unknown): Json {
  const [key, amount, options] = readArguments(params, { min: 2, max: 3 });
  const to = readAddress(key);
  const lamports = BigInt(readInteger(amount, 'u64'));
  const config: JsonObject = readConfigParam(options, 'RpcRequestAirdropConfig');
  readCommitment(config);
  const blockhash = readOptional(config['recentBlockhash'], readHash);
  return node.faucet.airdrop({ to, lamports, ...(blockhash && { blockhash }) });
}
