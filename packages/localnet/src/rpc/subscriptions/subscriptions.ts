import { toSlot } from '@tidegate/core/base';
import { readAccountFilters } from '../account-filters.ts';
import {
  encodeAccount,
  encodeKeyedAccount,
  readAccountEncoding,
} from '../encoding/account-encoding.ts';
import { formatJson, type Json } from '../json.ts';
import { readAddress, readArguments, readConfigParam, readInteger } from '../params.ts';
import { readCommitment } from '../request-context.ts';
import { invalidParams, methodNotFound } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';
import { createSlotPoll, type PollResult, type SubscriptionPoll } from './slot-poll.ts';
import { subscribeLogs, subscribeSignature } from './transaction-subscriptions.ts';

type Subscription = { readonly notification: string; readonly poll: SubscriptionPoll };

const kinds: ReadonlyMap<string, (endpoint: RpcNode, params: unknown) => SubscriptionPoll> =
  new Map([
    ['account', followAccount],
    ['logs', subscribeLogs],
    ['program', followProgram],
    ['signature', subscribeSignature],
    ['slot', followSlots],
    ['root', followRoots],
  ]);

/** The subscriptions of one connection. */
export class Subscriptions {
  readonly #endpoint: RpcNode;
  readonly #byId = new Map<number, Subscription>();
  #lastId = 0;

  constructor(endpoint: RpcNode) {
    this.#endpoint = endpoint;
  }

  /** `xSubscribe` and `xUnsubscribe`; a node has no other methods here. */
  handle(method: string, params: unknown): Json {
    const [, name = '', verb = ''] = /^(\w+?)(Subscribe|Unsubscribe)$/.exec(method) ?? [];
    const follow = kinds.get(name);
    if (follow === undefined) throw methodNotFound();
    if (verb === 'Unsubscribe') return this.#end(params);
    const id = ++this.#lastId;
    const poll = follow(this.#endpoint, params);
    this.#byId.set(id, { notification: `${name}Notification`, poll });
    return id;
  }

  /** The texts of all notifications that are due. */
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

  #end(params: unknown): Json {
    const [id] = readArguments(params, { least: 1, most: 1 });
    if (this.#byId.delete(readInteger(id, 'u64'))) return true;
    throw invalidParams('Invalid subscription id.');
  }
}

function followAccount(endpoint: RpcNode, params: unknown): SubscriptionPoll {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const address = readAddress(key);
  const config = readConfigParam(options, 'RpcAccountInfoConfig');
  const commitment = readCommitment(config);
  const form = { ...readAccountEncoding(config, 'binary'), isNotice: true };
  return createSlotPoll(endpoint, commitment, (after, upTo) =>
    endpoint.bank
      .changesBetween(after, upTo)
      .filter(({ addresses }) => addresses.includes(address))
      .map(({ slot }) => {
        const view = endpoint.bank.view(slot);
        const account = view.account(address);
        return { context: { slot }, value: encodeAccount({ address, account }, form, view) };
      }),
  );
}

/** An account that is deleted belongs to the program no more: nodes say nothing of it here. */
function followProgram(endpoint: RpcNode, params: unknown): SubscriptionPoll {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const program = readAddress(key);
  const config = readConfigParam(options, 'RpcProgramAccountsConfig');
  const commitment = readCommitment(config);
  const form = { ...readAccountEncoding(config, 'binary'), isNotice: true };
  const accepts = readAccountFilters(config);
  return createSlotPoll(endpoint, commitment, (after, upTo) =>
    endpoint.bank.changesBetween(after, upTo).flatMap(({ slot, addresses }) => {
      const view = endpoint.bank.view(slot);
      return addresses.flatMap((address): Json[] => {
        const account = view.account(address);
        if (account?.owner !== program || !accepts(account)) return [];
        return [{ context: { slot }, value: encodeKeyedAccount({ address, account }, form, view) }];
      });
    }),
  );
}

function followSlots(endpoint: RpcNode, params: unknown): SubscriptionPoll {
  readArguments(params, { least: 0, most: 0 });
  return createSlotPoll(endpoint, 'processed', (_after, slot) => [
    { parent: toSlot(slot - 1n), root: endpoint.slot('finalized'), slot },
  ]);
}

function followRoots(endpoint: RpcNode, params: unknown): SubscriptionPoll {
  readArguments(params, { least: 0, most: 0 });
  return createSlotPoll(endpoint, 'finalized', (_after, slot) => [slot]);
}
