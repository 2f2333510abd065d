import type { Client } from '../client.ts';
import { type Freshness, readFreshness } from '../requests/freshness.ts';
import type {
  OperationOf,
  ParametersOf,
  PathOf,
  ResponseOf,
  SlotNumber,
  UntypedParameters,
} from '../requests/operation-types.ts';
import {
  readEventStream,
  readNotice,
  type StreamFault,
  type StreamNotice,
  type StreamOptions,
} from './event-stream.ts';

/** What happens to the answer of a read. */
export type StateUpdate<Data> =
  | {
      readonly kind: 'update';
      readonly slot: bigint;
      readonly data: Data;
      readonly freshness: Freshness;
    }
  /** The last update is still true at the slot of `freshness`. */
  | { readonly kind: 'unchanged'; readonly freshness: Freshness }
  /** The server cannot give the answer now. The stream stays open. */
  | ({ readonly kind: 'unavailable' } & StreamNotice)
  | StreamFault;

type UpdateParameters = StreamOptions & {
  /** The first update includes at least this slot. */
  readonly minContextSlot?: SlotNumber | undefined;
  /** Slot of the last update that you have: it is not sent again, and no older one is. */
  readonly afterSlot?: bigint | undefined;
};

/**
 * The answer of a read, and again each time that it changes, at most once per slot. Connects again by itself; the first
 * update after that is the newest state, so states in between can be missing, but never the last one.
 */
export async function* streamUpdates<Path extends PathOf<'GET'>>(
  client: Client,
  path: Path,
  parameters: ParametersOf<OperationOf<'GET', Path>> & UpdateParameters,
): AsyncGenerator<StateUpdate<ResponseOf<OperationOf<'GET', Path>>>, void, undefined> {
  const { afterSlot }: UpdateParameters = parameters;
  const source = {
    client,
    operation: `GET ${path}`,
    parameters: parameters as UntypedParameters,
    resume: (slot: string) => ({ headers: { 'last-event-id': slot } }),
    position: afterSlot === undefined ? undefined : String(afterSlot),
  };
  let freshness = readFreshness(new Headers());
  for await (const item of readEventStream(source, parameters)) {
    if (item.kind !== 'event') yield item;
    else if (item.event === 'headers') freshness = freshnessOf(item.data);
    else if (item.event === 'unchanged') {
      yield { kind: 'unchanged', freshness: freshnessOf(item.data) };
    } else if (item.event === 'error') yield { kind: 'unavailable', ...readNotice(item.data) };
    else if (item.event === 'update' && SLOT.test(item.id)) {
      const slot = BigInt(item.id);
      // the type is that of the document, as for a plain answer
      const data = item.data as ResponseOf<OperationOf<'GET', Path>>;
      yield { kind: 'update', slot, data, freshness: { ...freshness, slot } };
    }
  }
}

const SLOT = /^\d{1,20}$/;

/** The headers that a plain answer would have. */
function freshnessOf(data: unknown): Freshness {
  const headers = new Headers();
  for (const [name, value] of Object.entries(data ?? {})) {
    if (typeof value === 'string') headers.set(name, value);
  }
  return readFreshness(headers);
}

/** Whose transactions a stream has. */
export type TransactionFilter =
  | { readonly wallet: string }
  | { readonly vault: string }
  | { readonly market: string };

/** One event of a transaction. A transaction can have several. */
export type TransactionEvent = {
  readonly product: 'lending' | 'vault' | 'farm';
  readonly instruction: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly slot: string;
  readonly signature: string;
  readonly wallet: string | null;
  readonly market: string | null;
  readonly obligation: string | null;
  readonly reserve: string | null;
  readonly vault: string | null;
  readonly farm: string | null;
  readonly tokenMint: string | null;
  /** Whole tokens. */
  readonly tokenAmount: string | null;
};

export type TransactionUpdate =
  | {
      readonly kind: 'transaction';
      /** Position in the stream. Store it to continue after this event later. */
      readonly cursor: string;
      readonly data: TransactionEvent;
    }
  /** The cluster has rolled the transaction back: discard its events. */
  | {
      readonly kind: 'removed';
      readonly cursor: string;
      readonly data: { readonly signature: string; readonly slot: string };
    }
  | ({ readonly kind: 'unavailable' } & StreamNotice)
  | StreamFault;

/** Continues after `cursor` without loss, or begins now. Connects again by itself, without loss and without repetition. */
export async function* streamTransactions(
  client: Client,
  filter: TransactionFilter,
  options: StreamOptions & { readonly cursor?: string | undefined } = {},
): AsyncGenerator<TransactionUpdate, void, undefined> {
  const source = {
    client,
    operation: 'GET /stream/transactions',
    parameters: { query: { ...filter } },
    resume: (cursor: string) => ({ query: { cursor } }),
    position: options.cursor,
  };
  for await (const item of readEventStream(source, options)) {
    if (item.kind !== 'event') yield item;
    else if (item.event === 'error') yield { kind: 'unavailable', ...readNotice(item.data) };
    else if (item.event === 'transaction' || item.event === 'removed') {
      // the types are those of the documented events
      yield { kind: item.event, cursor: item.id, data: item.data } as TransactionUpdate;
    }
  }
}
