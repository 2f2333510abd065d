import { toSlot } from '@tidegate/core/base';
import { readFilters } from '../account-filters.ts';
import { encodeAccount, encodeKeyed, readAccountForm } from '../encoding/account-encoding.ts';
import { formatJson, type Json } from '../json.ts';
import { readAddress, readArguments, readConfig, readWhole } from '../params.ts';
import { readCommitment } from '../request-context.ts';
import { invalidParams, methodNotFound } from '../rpc-errors.ts';
import type { Endpoint } from '../rpc-node.ts';
import { type Poll, type PollNews, sinceLast } from './slot-poll.ts';
import { followLogs, followSignature } from './transaction-subscriptions.ts';

type Subscription = { readonly notification: string; readonly poll: Poll };

const kinds: ReadonlyMap<string, (endpoint: Endpoint, params: unknown) => Poll> = new Map([
  ['account', followAccount],
  ['logs', followLogs],
  ['program', followProgram],
  ['signature', followSignature],
  ['slot', followSlots],
  ['root', followRoots],
]);

/** The subscriptions of one connection. */
export class Subscriptions {
  readonly #endpoint: Endpoint;
  readonly #byId = new Map<number, Subscription>();
  #lastId = 0;

  constructor(endpoint: Endpoint) {
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
      const { results, isOver }: PollNews = poll();
      if (isOver) this.#byId.delete(subscription);
      return results.map((result) => {
        const params = { result, subscription };
        return formatJson({ jsonrpc: '2.0', method: notification, params });
      });
    });
  }

  #end(params: unknown): Json {
    const [id] = readArguments(params, { least: 1, most: 1 });
    if (this.#byId.delete(readWhole(id, 'u64'))) return true;
    throw invalidParams('Invalid subscription id.');
  }
}

function followAccount(endpoint: Endpoint, params: unknown): Poll {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const address = readAddress(key);
  const config = readConfig(options, 'RpcAccountInfoConfig');
  const commitment = readCommitment(config);
  const form = { ...readAccountForm(config, 'binary'), isNotice: true };
  return sinceLast(endpoint, commitment, (after, upTo) =>
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
function followProgram(endpoint: Endpoint, params: unknown): Poll {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const program = readAddress(key);
  const config = readConfig(options, 'RpcProgramAccountsConfig');
  const commitment = readCommitment(config);
  const form = { ...readAccountForm(config, 'binary'), isNotice: true };
  const accepts = readFilters(config);
  return sinceLast(endpoint, commitment, (after, upTo) =>
    endpoint.bank.changesBetween(after, upTo).flatMap(({ slot, addresses }) => {
      const view = endpoint.bank.view(slot);
      return addresses.flatMap((address): Json[] => {
        const account = view.account(address);
        if (account?.owner !== program || !accepts(account)) return [];
        return [{ context: { slot }, value: encodeKeyed({ address, account }, form, view) }];
      });
    }),
  );
}

function followSlots(endpoint: Endpoint, params: unknown): Poll {
  readArguments(params, { least: 0, most: 0 });
  return sinceLast(endpoint, 'processed', (_after, slot) => [
    { parent: toSlot(slot - 1n), root: endpoint.slot('finalized'), slot },
  ]);
}

function followRoots(endpoint: Endpoint, params: unknown): Poll {
  readArguments(params, { least: 0, most: 0 });
  return sinceLast(endpoint, 'finalized', (_after, slot) => [slot]);
}
