import type { Address, Commitment, Slot } from '@tidegate/core/base';
import type { AccountFilter } from '../../source/chain-source.ts';
import type { AccountsTarget } from '../../source/stream.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

/** What a filter of the stream selects. */
export type StreamTarget =
  | AccountsTarget
  /** Signatures and results only. */
  | { readonly kind: 'logs'; readonly mentions: Address }
  | { readonly kind: 'transactions'; readonly mentions: readonly Address[] };

export type SubscribeRequest = {
  /** By the name of the filter, which the updates that it selects have. */
  readonly targets: ReadonlyMap<string, StreamTarget>;
  /** Name of the filter of slots and block times. */
  readonly slotsName: string;
  readonly commitment: Commitment;
  /** Sends everything from this slot on again. */
  readonly fromSlot?: Slot | undefined;
};

/** Commitment levels of the protocol. Slot statuses have the same numbers. */
export const commitmentLevels = { processed: 0, confirmed: 1, finalized: 2 } as const;

/** Replaces all filters of the stream. */
export function encodeSubscribeRequest(request: SubscribeRequest): Uint8Array {
  const { targets, slotsName, commitment, fromSlot } = request;
  const writer = new ProtobufWriter();
  for (const [name, target] of targets) {
    writer.message(requestFields[target.kind], entry(name, encodeTarget(target)));
  }
  // statuses of all levels and of dead slots
  const slots = new ProtobufWriter().boolean(1, false).boolean(2, true);
  writer.message(requestFields.slots, entry(slotsName, slots));
  writer.message(requestFields.blocksMeta, entry(slotsName, new ProtobufWriter()));
  writer.uint(requestFields.commitment, commitmentLevels[commitment]);
  if (fromSlot !== undefined) writer.uint(requestFields.fromSlot, fromSlot);
  return writer.finish();
}

/** A request with a ping does not change the filters. */
export function encodePing(id: number): Uint8Array {
  const ping = new ProtobufWriter().uint(1, id);
  return new ProtobufWriter().message(requestFields.ping, ping).finish();
}

/** Field numbers of the request. */
const requestFields = {
  program: 1,
  accounts: 1,
  slots: 2,
  transactions: 3,
  blocksMeta: 5,
  commitment: 6,
  ping: 9,
  logs: 10,
  fromSlot: 11,
} as const;

/** An entry of a map. */
const entry = (name: string, value: ProtobufWriter): ProtobufWriter =>
  new ProtobufWriter().text(1, name).message(2, value);

function encodeTarget(target: StreamTarget): ProtobufWriter {
  const writer = new ProtobufWriter();
  switch (target.kind) {
    case 'accounts':
      for (const address of target.addresses) writer.text(2, address);
      return writer;
    case 'program':
      writer.text(3, target.scan.program);
      for (const filter of target.scan.filters) writer.message(4, encodeFilter(filter));
      return writer;
    case 'logs':
      return writer.boolean(1, false).text(3, target.mentions);
    default:
      writer.boolean(1, false);
      for (const address of target.mentions) writer.text(3, address);
      return writer;
  }
}

function encodeFilter(filter: AccountFilter): ProtobufWriter {
  switch (filter.kind) {
    case 'size':
      return new ProtobufWriter().uint(2, filter.size);
    case 'bytes':
      return new ProtobufWriter().message(
        1,
        new ProtobufWriter().uint(1, filter.offset).bytes(2, filter.bytes),
      );
  }
}
