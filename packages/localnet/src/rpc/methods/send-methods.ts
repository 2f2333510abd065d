import { encodeWireTransaction, UNSIGNED } from '@tidegate/core/protocol/spl/transaction';
import {
  BLOCKHASH_LIFE,
  blockHeightOf,
  blockhashOf,
  isRecentBlockhash,
} from '../../runtime/blockhash.ts';
import type { TransactionError } from '../../runtime/transaction-errors.ts';
import { loadTransaction } from '../../runtime/transactions/load-transaction.ts';
import { receiveTransaction } from '../../runtime/transactions/received-transaction.ts';
import { verifySignatures } from '../../runtime/transactions/verify-signatures.ts';
import { errorWords } from '../encoding/error-message.ts';
import type { Json, JsonObject } from '../json.ts';
import {
  optional,
  readAddress,
  readArguments,
  readConfig,
  readFlag,
  readHash,
  readText,
  readWhole,
} from '../params.ts';
import { readCommitment, viewFor, withContext } from '../request-context.ts';
import {
  invalidParams,
  nodeIsBehind,
  preflightFailure,
  signatureVerificationFailure,
} from '../rpc-errors.ts';
import type { Endpoint } from '../rpc-node.ts';
import {
  checkSense,
  encodeBalances,
  encodeSimulatedCalls,
  encodeSimulation,
  simulatedAccounts,
} from './simulation-result.ts';
import { readMessage, readTransaction } from './transaction-params.ts';

/** Simulated first unless told otherwise, then taken into the next slot; the answer is its signature. */
export function sendTransaction(endpoint: Endpoint, params: unknown): Json {
  const [given, options] = readArguments(params, { least: 1, most: 2 });
  const text = readText(given);
  const config = readConfig(options, 'RpcSendTransactionConfig');
  const isUnchecked = optional(config['skipPreflight'], readFlag) ?? false;
  optional(config['maxRetries'], (value) => readWhole(value, 'usize'));
  const received = readTransaction(text, config);
  const { preflightCommitment, minContextSlot } = config;
  const commitment = isUnchecked ? 'processed' : preflightCommitment;
  const view = viewFor(endpoint, { commitment, minContextSlot });
  checkSense(received, view);
  if (!isUnchecked) {
    if (!verifySignatures(received)) throw signatureVerificationFailure();
    if (endpoint.isBehind) throw nodeIsBehind(endpoint.faults.lagSlots);
    const checks = { signatures: false, blockhash: true };
    const processed = endpoint.transactions.simulate(received, view, checks);
    const error = processed.kind === 'run' ? processed.record.error : processed.error;
    if (error !== undefined) {
      throw preflightFailure(errorWords(error), encodeSimulation(processed, view));
    }
  }
  endpoint.transactions.submit(received);
  return received.signature;
}

export function simulateTransaction(endpoint: Endpoint, params: unknown): Json {
  const [given, options] = readArguments(params, { least: 1, most: 2 });
  const text = readText(given);
  const config = readConfig(options, 'RpcSimulateTransactionConfig');
  const flag = (name: string) => optional(config[name], readFlag) ?? false;
  const [isVerified, isReplaced] = [flag('sigVerify'), flag('replaceRecentBlockhash')];
  const hasCalls = flag('innerInstructions');
  const sent = readTransaction(text, config);
  const view = viewFor(endpoint, config);
  if (isVerified && isReplaced) {
    throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  }
  const { slot } = view.time;
  const replacement = isReplaced
    ? {
        blockhash: blockhashOf(endpoint.seed, slot),
        lastValidBlockHeight: blockHeightOf(slot) + BLOCKHASH_LIFE,
      }
    : undefined;
  const recentBlockhash = replacement?.blockhash ?? sent.message.recentBlockhash;
  const received = { ...sent, message: { ...sent.message, recentBlockhash } };
  checkSense(received, view);
  if (isVerified && !verifySignatures(received)) throw signatureVerificationFailure();
  const accounts = optional(config['accounts'], (value) => simulatedAccounts(value, received));
  const checks = { signatures: false, blockhash: !isReplaced };
  const processed = endpoint.transactions.simulate(received, view, checks);
  return withContext(view, {
    ...encodeSimulation(processed, view),
    ...encodeBalances(processed),
    accounts: accounts?.(processed, view) ?? null,
    innerInstructions: hasCalls ? encodeSimulatedCalls(processed) : null,
    replacementBlockhash: replacement ?? null,
  });
}

/** Null where the blockhash of the message is too old, or none of this cluster. */
export function getFeeForMessage(endpoint: Endpoint, params: unknown): Json {
  const [given, options] = readArguments(params, { least: 1, most: 2 });
  const message = readMessage(readText(given));
  const view = viewFor(endpoint, readConfig(options, 'RpcContextConfig'));
  const signatures = new Array<string>(message.header.numRequiredSignatures).fill(UNSIGNED);
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
      return errorWords(error);
  }
}

/** A transfer from the cluster's faucet, which lands in the next slot; the answer is its signature. */
export function requestAirdrop(endpoint: Endpoint, params: unknown): Json {
  const [key, amount, options] = readArguments(params, { least: 2, most: 3 });
  const to = readAddress(key);
  const lamports = BigInt(readWhole(amount, 'u64'));
  const config: JsonObject = readConfig(options, 'RpcRequestAirdropConfig');
  readCommitment(config);
  const blockhash = optional(config['recentBlockhash'], readHash);
  return endpoint.faucet.give({ to, lamports, ...(blockhash && { blockhash }) });
}
