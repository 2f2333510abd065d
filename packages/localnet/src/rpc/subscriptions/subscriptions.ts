import { toSlot } from '@tidegate/core/base';
import { readAccountFilters } from '../account-filters.ts';
import {
  encodeAccount,
  encodeKeyedAccount,
  readAccountEncoding,
} from '../encoding/account-encoding.ts';
import { formatJson, type Json } from '../json.ts';
import { getGenesisHash } from '../methods/cluster-methods.ts';
import { readAddress, readArguments, readConfigParam, readInteger } from '../params.ts';
import { readCommitment } from '../request-context.ts';
import { invalidParams, methodNotFound } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';
import { createSlotPoll, type PollResult, type SubscriptionPoll } from './slot-poll.ts';
import { subscribeLogs, subscribeSignature } from './transaction-subscriptions.ts';

type Subscription = { readonly notification: string; readonly poll: SubscriptionPoll };

const kinds: ReadonlyMap<string, (node: RpcNode, params: unknown) => SubscriptionPoll> = new Map([
  ['account', subscribeAccount],
  ['logs', subscribeLogs],
  ['program', subscribeProgram],
  ['signature', subscribeSignature],
  ['slot', subscribeSlots],
  ['root', subscribeRoots],
]);

/** The subscriptions of one connection. */
export class Subscriptions {
  readonly #node: RpcNode;
  readonly #byId = new Map<number, Subscription>();
  #lastId = 0;

  constructor(node: RpcNode) {
    this.#node = node;
  }

  /** Handles `xSubscribe` and `xUnsubscribe`, and `getGenesisHash` as many providers do. */
  handle(method: string, params: unknown): Json {
    if (method === 'getGenesisHash') return getGenesisHash(this.#node, params);
    const [, name = '', verb = ''] = /^(\w+?)(Subscribe|Unsubscribe)$/.exec(method) ?? [];
    const subscribe = kinds.get(name);
    if (subscribe === undefined) throw methodNotFound();
    if (verb === 'Unsubscribe') return this.#unsubscribe(params);
    const id = ++this.#lastId;
    const poll = subscribe(this.#node, params);
    this.#byId.set(id, { notification: `${name}Notification`, poll });
    return id;
  }

  /** The texts of all due notifications. */
  poll(): readonly string[] {
    return [...this.#byId].flatMap(([subscription, { notification, poll }]) => {
      const { results, isDone }: PollResult = poll();
      if (isDone) this.#byId.delete(subscription);
      return results.map((result) => {
        const params = { result, subscription };
        return formatJson({ jsonrpc: '2.0', method: notification, params });
      });
    });
  }

  #unsubscribe(params: unknown): Json {
    const [id] = readArguments(params, { min: 1, max: 1 });
    if (this.#byId.delete(readInteger(id, 'u64'))) return true;
    throw invalidParams('Invalid subscription id.');
  }
}

function subscribeAccount(node: RpcNode, params: unknown): SubscriptionPoll {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const address = readAddress(key);
  const config = readConfigParam(options, 'RpcAccountInfoConfig');
  const commitment = readCommitment(config);
  const encoding = { ...readAccountEncoding(config, 'binary'), isNotification: true };
  return createSlotPoll(node, commitment, (after, upTo) =>
    node.bank
      .changesBetween(after, upTo)
      .filter(({ addresses }) => addresses.includes(address))
      .map(({ slot }) => {
        const view = node.bank.view(slot);
        const account = view.account(address);
        return { context: { slot }, value: encodeAccount({ address, account }, encoding, view) };
      }),
  );
}

/** A deleted account no longer belongs to the program, so nodes do not report it. */
function subscribeProgram(node: RpcNode, params: unknown): SubscriptionPoll {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const program = readAddress(key);
  const config = readConfigParam(options, 'RpcProgramAccountsConfig');
  const commitment = readCommitment(config);
  const encoding = { ...readAccountEncoding(config, 'binary'), isNotification: true };
  const matchesFilters = readAccountFilters(config);
  return createSlotPoll(node, commitment, (after, upTo) =>
    node.bank.changesBetween(after, upTo).flatMap(({ slot, addresses }) => {
      const view = node.bank.view(slot);
      return addresses.flatMap((address): Json[] => {
        const account = view.account(address);
        if (account?.owner !== program || !matchesFilters(account)) return [];
        return [
          { context: { slot }, value: encodeKeyedAccount({ address, account }, encoding, view) },
        ];
      });
    }),
  );
}

function subscribeSlots(node: RpcNode, params: unknown): SubscriptionPoll {
  readArguments(params, { min: 0, max: 0 });
  return createSlotPoll(node, 'processed', (_after, slot) => [
    { parent: toSlot(slot - 1n), root: node.slot('finalized'), slot },
  ]);
}

function subscribeRoots(node: RpcNode, params: unknown): SubscriptionPoll {
  readArguments(params, { min: 0, max: 0 });
  return createSlotPoll(node, 'finalized', (_after, slot) => [slot]);
}
