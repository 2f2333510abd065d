import { toSlot } from '#core/base/time.ts';
import { readAccountFilters } from '#localnet/rpc/account-filters.ts';
import {
  encodeKeyedAccount,
  readAccountEncoding,
} from '#localnet/rpc/encoding/account-encoding.ts';
import { formatJson, type Json } from '#localnet/rpc/json.ts';
import { readAddress, readArguments, readConfigParam, readInteger } from '#localnet/rpc/params.ts';
import { readCommitment } from '#localnet/rpc/request-context.ts';
import { createSlotPoll, type SubscriptionPoll } from '#localnet/rpc/subscriptions/slot-poll.ts';
import { Subscriptions } from '#localnet/rpc/subscriptions/subscriptions.ts';
import type { MainnetNode } from './mainnet-node.ts';

/** The subscriptions of one connection. Those of a program also announce its generated accounts. */
export class MainnetSubscriptions {
  readonly #node: MainnetNode;
  readonly #own: Subscriptions;
  readonly #generated = new Map<number, SubscriptionPoll>();

  constructor(node: MainnetNode) {
    this.#node = node;
    this.#own = new Subscriptions(node);
  }

  handle(method: string, params: unknown): Json {
    const result = this.#own.handle(method, params);
    if (method === 'programSubscribe') {
      this.#generated.set(readInteger(result, 'u64'), subscribeGenerated(this.#node, params));
    }
    if (method === 'programUnsubscribe') {
      const [id] = readArguments(params, { min: 1, max: 1 });
      this.#generated.delete(readInteger(id, 'u64'));
    }
    return result;
  }

  /** The texts of all due notifications. */
  poll(): readonly string[] {
    const generated = [...this.#generated].flatMap(([subscription, poll]) =>
      poll().results.map((result) => {
        const params = { result, subscription };
        return formatJson({ jsonrpc: '2.0', method: 'programNotification', params });
      }),
    );
    return [...this.#own.poll(), ...generated];
  }
}

function subscribeGenerated(node: MainnetNode, params: unknown): SubscriptionPoll {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const program = readAddress(key);
  const config = readConfigParam(options, 'RpcProgramAccountsConfig');
  const encoding = { ...readAccountEncoding(config, 'binary'), isNotification: true };
  const accepts = readAccountFilters(config);
  return createSlotPoll(node, readCommitment(config), (after, upTo) => {
    const results: Json[] = [];
    for (let slot = toSlot(after + 1n); slot <= upTo; slot = toSlot(slot + 1n)) {
      const view = node.bank.view(slot);
      for (const keyed of node.generated.writtenIn(slot, program)) {
        if (!accepts(keyed.account)) continue;
        results.push({ context: { slot }, value: encodeKeyedAccount(keyed, encoding, view) });
      }
    }
    return results;
  });
}
