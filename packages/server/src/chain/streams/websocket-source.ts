import {
  type Address,
  type ChainTime,
  CLOCK_SYSVAR,
  type Commitment,
  decodeClockSysvar,
  hasCode,
  type Slot,
  toAddress,
} from '@tidegate/core/base';
import { parseEndpointUrl } from '../endpoints/endpoint-url.ts';
import {
  parseAccountValue,
  parseNamedFields,
  type RpcAccountEncoding,
} from '../rpc/parse-account.ts';
import {
  malformedData,
  requireContextSlot,
  requireObject,
  requireString,
} from '../rpc/response-values.ts';
import { toRpcFilter } from '../rpc/rpc-filter.ts';
import type { AccountUpdate } from '../source/chain-source.ts';
import type { AccountsTarget, Stream, StreamListener, StreamSource } from '../source/stream.ts';
import { type OnNotification, RpcSocket } from './rpc-socket.ts';

export type WebSocketSourceOptions = {
  readonly url: URL;
  readonly commitment: Commitment;
  readonly timeoutMs?: number;
  readonly pingMs?: number;
  /** From the begin of a slot until the one before is announced as complete. */
  readonly settleMs?: number;
};

/** Leaders are absent now and then, and a node sums up a few slots; what is more was not sent to us. */
const MOST_SLOTS_AT_ONCE = 10n;

/** An update so far ahead of the last slot is a wrong one, and would make all that follow look old. */
const LEAP_SLOTS = 150n;

/**
 * Live updates over WebSocket. A node does not announce that an account of a followed program was closed: its owner is
 * another by then. Whoever follows a program has to read it again now and then.
 */
export function createWebSocketSource(options: WebSocketSourceOptions): StreamSource {
  const url = parseEndpointUrl(options.url);
  const name = `ws ${url.host}`;
  const { commitment, timeoutMs = 10_000, pingMs = 5_000, settleMs = 50 } = options;
  return {
    name,
    async open(events) {
      const { onClosed } = events;
      const socket = await RpcSocket.open({ url, name, timeoutMs, pingMs, onClosed });
      const stream = new WebSocketStream({ socket, commitment, events, settleMs });
      try {
        await stream.followClock();
      } catch (error) {
        socket.close();
        throw error;
      }
      return stream;
    },
  };
}

type StreamParts = {
  readonly socket: RpcSocket;
  readonly commitment: Commitment;
  readonly events: StreamListener;
  readonly settleMs: number;
};

class WebSocketStream implements Stream {
  readonly #parts: StreamParts;
  #newest: Slot | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /**
   * `slotSubscribe` tells of slots that are not confirmed yet. The clock's account changes with every slot and is
   * announced at the commitment, in the same stream. A node sends the updates of one slot in any order, so a slot
   * is complete when the next one has begun; a moment later, as several may come at once after a pause.
   */
  async followClock(): Promise<void> {
    let last: ChainTime | undefined;
    await this.#subscribe('account', [CLOCK_SYSVAR, {}], (result, text) => {
      const account = parseAccountValue(requireObject(result, 'notification')['value'], text);
      if (account === undefined) throw malformedData('clock account', 'it does not exist');
      const time = decodeClockSysvar(account);
      if (last !== undefined && time.slot <= last.slot) return;
      if (last !== undefined && time.slot > last.slot + MOST_SLOTS_AT_ONCE) {
        throw malformedData('clock account', `it leaps from slot ${last.slot} to ${time.slot}`);
      }
      if (last !== undefined) this.#settle(last);
      last = time;
      this.#newest = time.slot;
    });
  }

  subscribe(
    followed: AccountsTarget,
    onUpdate: (update: AccountUpdate) => void,
  ): Promise<() => void> {
    if (followed.kind === 'accounts') return this.#subscribeEach(followed.addresses, onUpdate);
    const { program, filters } = followed.scan;
    const params = [program, { filters: filters.map(toRpcFilter) }] as const;
    return this.#subscribe('program', params, (result, text) => {
      const { pubkey, account } = parseNamedFields(requireObject(result, 'notification')['value']);
      const address = toAddress(requireString(pubkey, 'address of an account'));
      onUpdate({ address, account: parseAccountValue(account, text), slot: this.#slotOf(result) });
    });
  }

  subscribeLogs(mentions: Address, onLogs: (slot: Slot) => void): Promise<() => void> {
    const { socket, commitment } = this.#parts;
    const params = [{ mentions: [mentions] }, { commitment }];
    return socket.subscribe('logs', params, (result) => onLogs(this.#slotOf(result)));
  }

  close(): void {
    this.#parts.socket.close();
  }

  #settle({ slot, unix }: ChainTime): void {
    const { socket, events, settleMs } = this.#parts;
    setTimeout(() => {
      if (socket.isOpen) events.onSlot(slot, unix);
    }, settleMs).unref();
  }

  /** All of them or none: a node has a subscription for each. */
  async #subscribeEach(
    addresses: readonly Address[],
    onUpdate: (update: AccountUpdate) => void,
  ): Promise<() => void> {
    const asked = addresses.map((address) =>
      this.#subscribe('account', [address, {}], (result, text) => {
        const account = parseAccountValue(requireObject(result, 'notification')['value'], text);
        onUpdate({ address, account, slot: this.#slotOf(result) });
      }),
    );
    const answers = await Promise.allSettled(asked);
    const end = () => {
      for (const answer of answers) if (answer.status === 'fulfilled') answer.value();
    };
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed === undefined) return end;
    end();
    throw failed.reason;
  }

  /** Compressed where the endpoint takes it. */
  async #subscribe(
    kind: 'account' | 'program',
    [subject, config]: readonly [string, Readonly<Record<string, unknown>>],
    onNotification: OnNotification,
  ): Promise<() => void> {
    const { socket, commitment } = this.#parts;
    const ask = (encoding: RpcAccountEncoding) => {
      const params = [subject, { ...config, encoding, commitment }];
      return socket.subscribe(kind, params, onNotification);
    };
    try {
      return await ask('base64+zstd');
    } catch (error) {
      if (!hasCode(error, 'SOURCE_REFUSES')) throw error;
      return ask('base64');
    }
  }

  #slotOf(result: unknown): Slot {
    const slot = requireContextSlot(result);
    if (this.#newest !== undefined && slot > this.#newest + LEAP_SLOTS) {
      throw malformedData(
        'notification',
        `it is for slot ${slot} and the last slot was ${this.#newest}`,
      );
    }
    return slot;
  }
}
