import type { Slot } from '@tidegate/core/base';
import type { ChainReader } from '../source/chain-reader.ts';

/** How to send a request, and the slot of its result. */
export type EndpointRequest<Value> = {
  readonly send: (reader: ChainReader) => Promise<Value>;
  readonly slotOf: (value: Value) => Slot | undefined;
  /** Whether accounts that are missing in the result count as closed. */
  readonly findsClosed?: boolean;
  /** Whether it checks what the usual endpoint said. */
  readonly isCheck?: boolean;
};

export const slotRequest: EndpointRequest<Slot> = {
  send: (reader) => reader.getSlot(),
  slotOf: (slot) => slot,
};
