import { type Commitment, type Slot, toSlot } from '@tidegate/core/base';
import type { BankView } from '../runtime/bank.ts';
import type { Json, JsonObject } from './json.ts';
import { readEnum, readInteger, readOptional } from './params.ts';
import { invalidParams, minContextSlotNotReached } from './rpc-errors.ts';
import type { RpcNode } from './rpc-node.ts';

/** What `getVersion` says, and the context of answers. */
export const API_VERSION = '3.0.10';

const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

export const readCommitment = (config: JsonObject): Commitment =>
  readOptional(config['commitment'], (value) => readEnum(value, COMMITMENTS)) ?? 'finalized';

/** The accounts at the commitment that a call asks for; refused where they are older than it demands. */
export function bankViewFor(endpoint: RpcNode, config: JsonObject): BankView {
  const view = endpoint.view(readCommitment(config));
  const least = readOptional(config['minContextSlot'], (value) => readInteger(value, 'u64'));
  if (least !== undefined && view.time.slot < least) {
    throw minContextSlotNotReached(view.time.slot);
  }
  return view;
}

/** Of calls about what is kept for good, of which nobody is told too early. */
export function confirmedViewFor(endpoint: RpcNode, config: JsonObject): BankView {
  if (readCommitment(config) === 'processed') {
    throw invalidParams('Method does not support commitment below `confirmed`');
  }
  return bankViewFor(endpoint, config);
}

export const withContext = ({ time }: BankView, value: Json): Json => ({
  context: { apiVersion: API_VERSION, slot: time.slot },
  value,
});

export const readSlot = (value: unknown): Slot => toSlot(BigInt(readInteger(value, 'u64')));
