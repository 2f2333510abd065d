import { type Commitment, type Slot, toSlot } from '@tidegate/core/base';
import type { BankView } from '../runtime/bank.ts';
import type { Json, JsonObject } from './json.ts';
import { readEnum, readInteger, readOptional } from './params.ts';
import { invalidParams, minContextSlotNotReached } from './rpc-errors.ts';
import type { RpcNode } from './rpc-node.ts';

/** Returned by `getVersion` and in response contexts. */
export const API_VERSION = '3.0.10';

const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

export const readCommitment = (config: JsonObject): Commitment =>
  readOptional(config['commitment'], (value) => readEnum(value, COMMITMENTS)) ?? 'finalized';

/** The accounts at the requested commitment. Fails if they are older than `minContextSlot`. */
export function bankViewFor(node: RpcNode, config: JsonObject): BankView {
  const view = node.view(readCommitment(config));
  const minSlot = readOptional(config['minContextSlot'], (value) => readInteger(value, 'u64'));
  if (minSlot !== undefined && view.time.slot < minSlot) {
    throw minContextSlotNotReached(view.time.slot);
  }
  return view;
}

/** For methods that require at least `confirmed`. */
export function confirmedViewFor(node: RpcNode, config: JsonObject): BankView {
  if (readCommitment(config) === 'processed') {
    throw invalidParams('Method does not support commitment below `confirmed`');
  }
  return bankViewFor(node, config);
}

export const withContext = ({ time }: BankView, value: Json): Json => ({
  context: { apiVersion: API_VERSION, slot: time.slot },
  value,
});

export const readSlot = (value: unknown): Slot => toSlot(BigInt(readInteger(value, 'u64')));
