import { toAddress, toSlot } from '@tidegate/core/base';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { FeedRequest } from './feed-message.ts';
import { malformed } from './header-codec.ts';

const Request = Type.Union([
  Type.Object({
    kind: Type.Union([
      Type.Literal('wallet'),
      Type.Literal('obligation'),
      Type.Literal('marketTable'),
    ]),
    address: Type.String(),
  }),
  Type.Object({ kind: Type.Literal('hook'), command: Type.String() }),
  Type.Object({ kind: Type.Literal('flush') }),
  Type.Object({ kind: Type.Literal('events'), slot: Type.String({ pattern: '^[0-9]+$' }) }),
  Type.Object({
    kind: Type.Literal('positions'),
    positions: Type.Array(
      Type.Object({
        name: Type.String(),
        address: Type.String(),
        isListed: Type.Optional(Type.Literal(true)),
      }),
    ),
  }),
]);

const validator = Compile(Request);

export const encodeRequest = (request: FeedRequest): string =>
  JSON.stringify(request.kind === 'events' ? { ...request, slot: `${request.slot}` } : request);

/** Throws MALFORMED_DATA. */
export function decodeRequest(text: string): FeedRequest {
  const request: unknown = JSON.parse(text);
  if (!validator.Check(request))
    throw malformed('the fields of the request are not the expected ones');
  if (request.kind === 'events') return { kind: 'events', slot: toSlot(BigInt(request.slot)) };
  if (request.kind === 'hook' || request.kind === 'flush') return request;
  if (request.kind !== 'positions') return { ...request, address: toAddress(request.address) };
  const positions = request.positions.map(({ name, address, isListed }) => ({
    name,
    address: toAddress(address),
    ...(isListed && { isListed }),
  }));
  return { kind: 'positions', positions };
}
