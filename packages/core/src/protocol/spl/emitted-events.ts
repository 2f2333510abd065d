import type { Address } from '../../base/encoding/address.ts';
import { bytesEqual, bytesFromHex } from '../../base/encoding/bytes.ts';
import { type Decoded, type Shape, struct } from '../../base/encoding/layout.ts';
import type { Call } from './transaction/call-tree.ts';

/** Anchor programs emit events by calling themselves with this tag. */
export const EVENT_IX_TAG = bytesFromHex('e445a52e51cb9a1d');

/** Defines events of a program, whose only account is the program's event authority. */
export const emittedEvents = (eventAuthority: (program: Address) => Address) =>
  function emitted<const S extends Shape>(name: string, discriminator: string, fields: S) {
    const body = struct(fields);
    const start = bytesFromHex(discriminator);
    const bodyAt = EVENT_IX_TAG.length + start.length;
    return {
      name,
      /** Encodes the data of the self-CPI. */
      encode(value: Decoded<typeof body>): Uint8Array {
        const data = new Uint8Array(bodyAt + body.size);
        data.set(EVENT_IX_TAG);
        data.set(start, EVENT_IX_TAG.length);
        body.encode(new DataView(data.buffer), bodyAt, value);
        return data;
      },
      /** Returns undefined for another event and for a call that the program did not make. */
      decode({ program, accounts, data }: Call): Decoded<typeof body> | undefined {
        if (!bytesEqual(data.subarray(0, EVENT_IX_TAG.length), EVENT_IX_TAG)) return undefined;
        if (!bytesEqual(data.subarray(EVENT_IX_TAG.length, bodyAt), start)) return undefined;
        if (data.length < bodyAt + body.size) return undefined;
        if (accounts.length !== 1 || accounts[0] !== eventAuthority(program)) return undefined;
        return body.decode(new DataView(data.buffer, data.byteOffset, data.length), bodyAt);
      },
    };
  };

/** Returns undefined if the program did not emit the event. */
export function findEmittedEvent<Value>(
  call: Call,
  event: { decode(call: Call): Value | undefined },
): Value | undefined {
  for (const child of call.children) {
    const value = child.program === call.program ? event.decode(child) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
