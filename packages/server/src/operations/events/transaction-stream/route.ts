import { type Logger, toAddress } from '@tidegate/core/base';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import type { RecordedItem, RecordedSubject } from '../../../history/queries/recorded-events.ts';
import { defineOperation } from '../../../http/operation.ts';
import { EVENT_STREAM } from '../../../http/streams/accept-event-stream.ts';
import { formatEvent } from '../../../http/streams/event-format.ts';
import type { EventStream } from '../../../http/streams/event-stream.ts';
import { SlotListeners } from '../../../http/streams/slot-listeners.ts';
import { describeError, readLastEventId } from '../../../http/streams/state-streams.ts';
import { invalidQuery, requireAllEvents } from '../../../support/history/history-query.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import { EventDispatcher } from './event-dispatcher.ts';
import { itemJson } from './json.ts';
import { TransactionStreamQuery } from './schema.ts';

export const streamTransactions: OperationPlugin =
  ({ clusters, streams, log }) =>
  async (app) => {
    const slots = new SlotListeners(clusters);
    const dispatchers = new Map<Cluster, ClusterEvents>();
    const eventsOf = (cluster: Cluster): ClusterEvents => {
      const known = dispatchers.get(cluster) ?? new ClusterEvents(cluster, slots, log);
      dispatchers.set(cluster, known);
      return known;
    };
    app.get(
      '/stream/transactions',
      defineOperation(
        {
          operationId: 'streamTransactions',
          tag: 'chain',
          summary: 'Events of a wallet, vault or market as they are recorded',
          description:
            'Server-sent events, without end. A `transaction` event has an event of a transaction, as in /events/recent, with its place. A `removed` event names a transaction that the cluster has rolled back. The id of an event is a cursor: with last-event-id or cursor, the stream continues after it, and nothing is lost or repeated. Events come in the order in which they were recorded; one that was found late comes late. docs/streams.md has examples.',
          weight: 5,
          readsEvents: true,
          statuses: [400, 500],
          mediaType: EVENT_STREAM,
        },
        { querystring: TransactionStreamQuery, response: Type.String() },
      ),
      async (request, reply) => {
        const { query } = request;
        const cluster = clusters.requireLoaded(query.env);
        const subject = parseSubject(query);
        const cursor = readLastEventId(request) ?? query.cursor;
        const after = cursor === undefined ? undefined : parseCursor(cursor);
        const events = eventsOf(cluster);
        reply.type(EVENT_STREAM);
        if (request.method === 'HEAD') return '';
        const reservation = streams.reserve(request, reply, 'transactions');
        try {
          const position = after ?? (await events.dispatcher.end());
          const stream = reservation.open();
          if (stream === undefined) return '';
          // a client that is cut off before the first event continues from here
          stream.send(formatEvent({ id: formatCursor(position) }));
          events.add(stream, subject, position);
        } catch (error) {
          reservation.release();
          throw error;
        }
        return '';
      },
    );
  };

const SUBJECTS = ['wallet', 'vault', 'market'] as const;

function parseSubject(query: Static<typeof TransactionStreamQuery>): RecordedSubject {
  const given = SUBJECTS.flatMap((kind) => {
    const address = query[kind];
    return address === undefined ? [] : [{ kind, address: toAddress(address) }];
  });
  const [subject] = given;
  if (subject !== undefined && given.length === 1) return subject;
  const message = 'exactly one of wallet, vault and market is required';
  throw invalidQuery([{ path: ['wallet'], code: 'invalid_value', message }]);
}

/** The events of a cluster as clients get them. */
class ClusterEvents {
  readonly dispatcher: EventDispatcher;
  readonly #cluster: Cluster;
  readonly #slots: SlotListeners;
  readonly #log: Logger;
  /** The bytes of an event are the same for all clients. */
  readonly #bytes = new WeakMap<RecordedItem, { readonly value: Buffer | undefined }>();
  #stop: (() => void) | undefined;

  /** Throws if not all events of the cluster are recorded. */
  constructor(cluster: Cluster, slots: SlotListeners, log: Logger) {
    this.dispatcher = new EventDispatcher(requireAllEvents(cluster));
    this.#cluster = cluster;
    this.#slots = slots;
    this.#log = log;
  }

  add(
    stream: EventStream,
    subject: RecordedSubject,
    position: Parameters<EventDispatcher['subscribe']>[1],
  ): void {
    const { env } = this.#cluster;
    const end = this.dispatcher.subscribe(
      {
        subject,
        send: (item) => {
          const bytes = this.#bytesOf(item);
          if (bytes !== undefined) stream.send(bytes);
        },
        fail: (error) => stream.send(this.#errorEvent(error)),
        whenReady: () => stream.whenReady(),
        isOpen: () => stream.isOpen,
      },
      position,
    );
    this.#stop ??= this.#slots.add(env, () => void this.dispatcher.poll());
    stream.onClose(() => {
      end();
      if (!this.dispatcher.isIdle) return;
      this.#stop?.();
      this.#stop = undefined;
    });
  }

  #bytesOf(item: RecordedItem): Buffer | undefined {
    const known = this.#bytes.get(item);
    if (known !== undefined) return known.value;
    const value = formatItem(item, this.#cluster);
    this.#bytes.set(item, { value });
    return value;
  }

  #errorEvent(error: unknown): Buffer {
    const isCoded = error instanceof CodedError;
    if (!isCoded) this.#log.error({ error }, 'events cannot be read for streams');
    const coded = isCoded ? error : new CodedError('INTERNAL', {}, error);
    return formatEvent({ event: 'error', data: JSON.stringify(describeError(coded)) });
  }
}

function formatItem(item: RecordedItem, { reader }: Cluster): Buffer | undefined {
  const json = itemJson(item, reader);
  if (json === undefined) return undefined;
  const event = item.table === 'removed' ? 'removed' : 'transaction';
  return formatEvent({ id: formatCursor(item.position), event, data: JSON.stringify(json) });
}
