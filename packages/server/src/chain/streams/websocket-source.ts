import {
  type Address,
  type ChainTime,
  CLOCK_SYSVAR,
  CodedError,
  type Commitment,
  decodeClockSysvar,
  hasCode,
  type Slot,
  toAddress,
  toSlot,
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
import type { AccountUpdate, TransactionNotice } from '../source/chain-source.ts';
import type { AccountsTarget, Stream, StreamListener, StreamSource } from '../source/stream.ts';
import { ClockFallback, type ClockFallbackOptions } from './clock-fallback.ts';
import { type OnNotification, RpcSocket } from './rpc-socket.ts';

export type WebSocketSourceOptions = {
  readonly url: URL;
  readonly commitment: Commitment;
  readonly timeoutMs?: number;
  readonly pingMs?: number;
  /** Delay from the start of a slot until the previous one is announced as complete. */
  readonly settleMs?: number;
  /** For endpoints that do not send the clock. */
  readonly fallback?: Pick<ClockFallbackOptions, 'readClock' | 'log' | 'timing'>;
};

/** Skipped leaders and combined notifications explain a jump of a few slots. A larger one means lost updates. */
const MAX_CLOCK_JUMP_SLOTS = 10n;

/** An update further ahead of the clock is invalid. It would make all later updates seem outdated. */
const MAX_LEAD_SLOTS = 150n;

/**
 * Streams updates over WebSocket. Nodes do not announce closed accounts of a subscribed program, because their owner has
 * changed, so subscribers must rescan the program periodically.
 */
export function createWebSocketSource(options: WebSocketSourceOptions): StreamSource {
  const url = parseEndpointUrl(options.url);
  const name = `ws ${url.host}`;
  const { commitment, timeoutMs = 10_000, pingMs = 5_000, settleMs = 50, fallback } = options;
  return {
    name,
    async open(listener) {
      const { onClosed } = listener;
      const socket = await RpcSocket.open({ url, name, timeoutMs, pingMs, onClosed });
      const clock =
        fallback && new ClockFallback({ ...fallback, socket, name, onSlot: listener.onSlot });
      const stream = new WebSocketStream({ name, socket, commitment, listener, settleMs, clock });
      try {
        await stream.subscribeClock();
      } catch (error) {
        stream.close();
        throw error;
      }
      return stream;
    },
  };
}

type WebSocketStreamOptions = {
  readonly name: string;
  readonly socket: RpcSocket;
  readonly commitment: Commitment;
  readonly listener: StreamListener;
  readonly settleMs: number;
  readonly clock: ClockFallback | undefined;
};

class WebSocketStream implements Stream {
  readonly #options: WebSocketStreamOptions;
  #newest: Slot | undefined;

  constructor(options: WebSocketStreamOptions) {
    this.#options = options;
  }

  /**
   * `slotSubscribe` announces slots before they reach the commitment, so this subscribes to the clock sysvar, which
   * changes in every slot. A node sends the updates of one slot in any order, so a slot is complete when the next one has
   * started. A short delay covers bursts of several slots.
   */
  async subscribeClock(): Promise<void> {
    let last: ChainTime | undefined;
    await this.#subscribe('account', [CLOCK_SYSVAR, {}], (result, text) => {
      const account = parseAccountValue(requireObject(result, 'notification')['value'], text);
      if (account === undefined) throw malformedData('clock account', 'it does not exist');
      this.#options.clock?.stop();
      const time = decodeClockSysvar(account);
      if (last !== undefined && time.slot < last.slot) {
        for (let slot = time.slot; slot <= last.slot; slot = toSlot(slot + 1n)) {
          this.#options.listener.onSlotDead?.(slot);
        }
        // what was sent of the undone slots would count as newer; a new connection begins with reads of everything
        throw malformedData('clock account', `slots after ${time.slot} were rolled back`);
      }
      if (time.slot === last?.slot) return;
      if (last !== undefined && time.slot > last.slot + MAX_CLOCK_JUMP_SLOTS) {
        throw malformedData('clock account', `it jumps from slot ${last.slot} to ${time.slot}`);
      }
      if (last !== undefined) this.#announceLater(last);
      last = time;
      this.#newest = time.slot;
    });
  }

  subscribe(
    target: AccountsTarget,
    onUpdate: (update: AccountUpdate) => void,
  ): Promise<() => void> {
    if (target.kind === 'accounts') return this.#subscribeEach(target.addresses, onUpdate);
    const { program, filters } = target.scan;
    const params = [program, { filters: filters.map(toRpcFilter) }] as const;
    return this.#subscribe('program', params, (result, text) => {
      const { pubkey, account } = parseNamedFields(requireObject(result, 'notification')['value']);
      const address = toAddress(requireString(pubkey, 'address of an account'));
      onUpdate({ address, account: parseAccountValue(account, text), slot: this.#slotOf(result) });
    });
  }

  subscribeLogs(
    mentions: Address,
    onLogs: (notice: TransactionNotice) => void,
  ): Promise<() => void> {
    const { socket, commitment } = this.#options;
    const params = [{ mentions: [mentions] }, { commitment }];
    return socket.subscribe('logs', params, (result) => {
      const { signature, err } = requireObject(
        requireObject(result, 'notification')['value'],
        'logs',
      );
      const failed = err !== null && err !== undefined;
      const slot = this.#slotOf(result);
      onLogs({ slot, signature: requireString(signature, 'signature'), failed });
    });
  }

  async subscribeTransactions(): Promise<never> {
    const reason = 'WebSocket does not send whole transactions';
    throw new CodedError('SOURCE_REFUSES', { source: this.#options.name, reason });
  }

  close(): void {
    this.#options.clock?.stop();
    this.#options.socket.close();
  }

  #announceLater({ slot, unix }: ChainTime): void {
    const { socket, listener, settleMs } = this.#options;
    setTimeout(() => {
      if (socket.isOpen) listener.onSlot(slot, unix);
    }, settleMs).unref();
  }

  /** Each address needs its own subscription. If one fails, all are cancelled. */
  async #subscribeEach(
    addresses: readonly Address[],
    onUpdate: (update: AccountUpdate) => void,
  ): Promise<() => void> {
    const requests = addresses.map((address) =>
      this.#subscribe('account', [address, {}], (result, text) => {
        const account = parseAccountValue(requireObject(result, 'notification')['value'], text);
        onUpdate({ address, account, slot: this.#slotOf(result) });
      }),
    );
    const results = await Promise.allSettled(requests);
    const unsubscribe = () => {
      for (const result of results) if (result.status === 'fulfilled') result.value();
    };
    const failed = results.find((result) => result.status === 'rejected');
    if (failed === undefined) return unsubscribe;
    unsubscribe();
    throw failed.reason;
  }

  /** Uses compression if the endpoint supports it. */
  async #subscribe(
    kind: 'account' | 'program',
    [subject, config]: readonly [string, Readonly<Record<string, unknown>>],
    onNotification: OnNotification,
  ): Promise<() => void> {
    const { socket, commitment } = this.#options;
    const send = (encoding: RpcAccountEncoding) => {
      const params = [subject, { ...config, encoding, commitment }];
      return socket.subscribe(kind, params, onNotification);
    };
    try {
      return await send('base64+zstd');
    } catch (error) {
      if (!hasCode(error, 'SOURCE_REFUSES')) throw error;
      return send('base64');
    }
  }

  #slotOf(result: unknown): Slot {
    const slot = requireContextSlot(result);
    if (this.#newest !== undefined && slot > this.#newest + MAX_LEAD_SLOTS) {
      throw malformedData(
        'notification',
        `it is for slot ${slot}, but the last slot was ${this.#newest}`,
      );
    }
    this.#options.clock?.noteUpdate(slot);
    return slot;
  }
}
