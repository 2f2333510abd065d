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
import { verifySignatures } from '../../runtime/transactions/verify-signatures.ts';
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

/** Simulated first unless told otherwise, then taken into the next slot; the answer is its signature. */
export function sendTransaction(endpoint: RpcNode, params: unknown): Json {
  const [given, options] = readArguments(params, { least: 1, most: 2 });
  const text = readString(given);
  const config = readConfigParam(options, 'RpcSendTransactionConfig');
  const isUnchecked = readOptional(config['skipPreflight'], readBoolean) ?? false;
  readOptional(config['maxRetries'], (value) => readInteger(value, 'usize'));
  const received = readTransactionParam(text, config);
  const { preflightCommitment, minContextSlot } = config;
  const commitment = isUnchecked ? 'processed' : preflightCommitment;
  const view = bankViewFor(endpoint, { commitment, minContextSlot });
  requireLoadable(received, view);
  if (!isUnchecked) {
    if (!verifySignatures(received)) throw signatureVerificationFailure();
    if (endpoint.isBehind) throw nodeIsBehind(endpoint.faults.lagSlots);
    const checks = { signatures: false, blockhash: true };
    const processed = endpoint.transactions.simulate(received, view, checks);
    const error = processed.kind === 'run' ? processed.record.error : processed.error;
    if (error !== undefined) {
      throw preflightFailure(transactionErrorMessage(error), encodeSimulation(processed, view));
    }
  }
  endpoint.transactions.submit(received);
  return received.signature;
}

export function simulateTransaction(endpoint: RpcNode, params: unknown): Json {
  const [given, options] = readArguments(params, { least: 1, most: 2 });
  const text = readString(given);
  const config = readConfigParam(options, 'RpcSimulateTransactionConfig');
  const flag = (name: string) => readOptional(config[name], readBoolean) ?? false;
  const [isVerified, isReplaced] = [flag('sigVerify'), flag('replaceRecentBlockhash')];
  const hasCalls = flag('innerInstructions');
  const sent = readTransactionParam(text, config);
  const view = bankViewFor(endpoint, config);
  if (isVerified && isReplaced) {
    throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  }
  const { slot } = view.time;
  const replacement = isReplaced
    ? {
        blockhash: blockhashOf(endpoint.seed, slot),
        lastValidBlockHeight: blockHeightOf(slot) + MAX_BLOCKHASH_AGE,
      }
    : undefined;
  const recentBlockhash = replacement?.blockhash ?? sent.message.recentBlockhash;
  const received = { ...sent, message: { ...sent.message, recentBlockhash } };
  requireLoadable(received, view);
  if (isVerified && !verifySignatures(received)) throw signatureVerificationFailure();
  const accounts = readOptional(config['accounts'], (value) =>
    readSimulatedAccounts(value, received),
  );
  const checks = { signatures: false, blockhash: !isReplaced };
  const processed = endpoint.transactions.simulate(received, view, checks);
  return withContext(view, {
    ...encodeSimulation(processed, view),
    ...encodeBalances(processed),
    accounts: accounts?.(processed, view) ?? null,
    innerInstructions: hasCalls ? encodeInnerInstructions(processed) : null,
    replacementBlockhash: replacement ?? null,
  });
}

/** Null where the blockhash of the message is too old, or none of this cluster. */
export function getFeeForMessage(endpoint: RpcNode, params: unknown): Json {
  const [given, options] = readArguments(params, { least: 1, most: 2 });
  const message = readMessageParam(readString(given));
  const view = bankViewFor(endpoint, readConfigParam(options, 'RpcContextConfig'));
  const signatures = new Array<string>(message.header.numRequiredSignatures).fill(EMPTY_SIGNATURE);
  const received = receiveTransaction(encodeWireTransaction({ signatures, message }));
  const loaded = loadTransaction(received, view, view.time.slot);
  if (typeof loaded !== 'object' || !('wire' in loaded)) {
    throw invalidParams(`invalid transaction message: ${lookupWords(loaded)}`);
  }
  const { recentBlockhash } = message;
  const isRecent = isRecentBlockhash(endpoint.seed, recentBlockhash, view.time.slot);
  return withContext(view, isRecent ? loaded.fee : null);
}

/** Nodes have other words for it where there is only a message. */
function lookupWords(error: TransactionError): string {
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

/** A transfer from the cluster's faucet, which lands in the next slot; the answer is its signature. */
export function requestAirdrop(endpoint: RpcNode, params: unknown): Json {
  const [key, amount, options] = readArguments(params, { least: 2, most: 3 });
  const to = readAddress(key);
  const lamports = BigInt(readInteger(amount, 'u64'));
  const config: JsonObject = readConfigParam(options, 'RpcRequestAirdropConfig');
  readCommitment(config);
  const blockhash = readOptional(config['recentBlockhash'], readHash);
  return endpoint.faucet.airdrop({ to, lamports, ...(blockhash && { blockhash }) });
}
