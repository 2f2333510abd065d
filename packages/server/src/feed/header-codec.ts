import {
  decodeBase64,
  encodeBase64,
  type RawAccount,
  toAddress,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import type { AccountKind, StateRows } from '@tidegate/core/state';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DriftReport } from '../clusters/drift-report.ts';
import type { PositionGapReport } from '../clusters/position-gap-report.ts';
import type { ProofReport } from '../clusters/proof-report.ts';
import type { UnprovenReason } from '../clusters/unproven-kinds.ts';
import { CodedError } from '../errors.ts';
import type { FeedFacts, FeedMessage, FeedReply, FeedUnreadable } from './feed-message.ts';
import { decodePrograms, encodePrograms, Programs } from './programs-codec.ts';

/** Everything of a message but its accounts and the bytes of its rows. */
export type FeedHeader = Omit<FeedMessage, 'accounts' | 'rows'> & {
  readonly rows?: Omit<StateRows, 'bytes'>;
};

const Whole = Type.String({ pattern: '^-?[0-9]+$' });
const Pair = Type.Tuple([Type.String(), Type.String()]);
const Strings = Type.Array(Type.String());

const Doubts = Type.Array(
  Type.Object({
    kind: Type.Unsafe<UnprovenReason['kind']>({ type: 'string' }),
    code: Type.Unsafe<UnprovenReason['code']>({ type: 'string' }),
    detail: Type.String(),
    since: Whole,
  }),
);

const Facts = Type.Object({
  slotMs: Type.Optional(Type.Tuple([Whole, Whole])),
  completeShareMints: Type.Optional(Strings),
  hasAllPositions: Type.Optional(Type.Boolean()),
  status: Type.Optional(
    Type.Object({
      missing: Strings,
      refusedScans: Strings,
      lagSlots: Type.Number(),
      alarms: Type.Array(
        Type.Object({
          kind: Type.String(),
          count: Type.Integer({ minimum: 0 }),
          last: Type.Optional(
            Type.Object({ source: Type.String(), reason: Type.String(), at: Type.Number() }),
          ),
        }),
      ),
      // absent in messages of an earlier version
      doubts: Type.Optional(Doubts),
    }),
  ),
  vaultHistoryVersion: Type.Optional(Type.Integer({ minimum: 0 })),
  marketTables: Type.Optional(Type.Array(Pair)),
  stakePools: Type.Optional(Type.Array(Type.Tuple([Type.String(), Type.String(), Type.String()]))),
  proof: Type.Optional(Type.Unsafe<ProofReport>({ type: 'object' })),
  drift: Type.Optional(Type.Unsafe<DriftReport>({ type: 'object' })),
  positionGaps: Type.Optional(Type.Unsafe<PositionGapReport>({ type: 'object' })),
  programs: Type.Optional(Programs),
  events: Type.Optional(
    Type.Object({ upTo: Whole, checkpoint: Whole, version: Type.Integer({ minimum: 0 }) }),
  ),
});

const Unreadable = Type.Object({
  address: Type.String(),
  kind: Type.String(),
  owner: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  version: Type.Optional(Whole),
  reason: Type.String(),
  belongsTo: Type.Optional(Type.String()),
  slot: Whole,
});

const Reply = Type.Object({
  id: Type.String(),
  failure: Type.Optional(
    Type.Object({
      reason: Type.String(),
      incomplete: Type.Optional(
        Type.Object({ what: Type.String(), retryAfterSeconds: Type.Number() }),
      ),
    }),
  ),
});

const Offset = Type.Integer({ minimum: 0 });
const Offsets = Type.Array(Offset);

const Rows = Type.Object({
  kind: Type.Unsafe<AccountKind>({ type: 'string' }),
  layout: Type.Object({
    ...{ size: Offset, group: Offset },
    ...{ discriminator: Offsets, keys: Offsets },
    blocks: Type.Array(Type.Object({ words: Offsets, keys: Offsets })),
  }),
});

const Header = Type.Object({
  rows: Type.Optional(Rows),
  at: Type.Optional(Type.Tuple([Whole, Whole])),
  ageMs: Type.Optional(Type.Integer({ minimum: 0 })),
  // absent in messages of an earlier version
  sentMs: Type.Optional(Type.Integer({ minimum: 0 })),
  facts: Type.Optional(Facts),
  replies: Type.Optional(Type.Array(Reply)),
  unreadable: Type.Optional(Type.Array(Unreadable)),
});

const headerValidator = Compile(Header);

export function encodeHeader(fields: FeedHeader): Uint8Array {
  const { at, ageMs, sentMs, facts, replies, unreadable, rows } = fields;
  const header: Static<typeof Header> = {
    ...(at && { at: [`${at.slot}`, `${at.unix}`] }),
    ...(ageMs !== undefined && { ageMs }),
    ...(sentMs !== undefined && { sentMs }),
    ...(facts && { facts: factsJson(facts) }),
    ...(replies && { replies: [...replies] }),
    ...(rows && { rows: rowsJson(rows) }),
    ...(unreadable && { unreadable: unreadable.map(unreadableJson) }),
  };
  return Buffer.from(JSON.stringify(header));
}

/** Throws MALFORMED_DATA. */
export function decodeHeader(bytes: Uint8Array): FeedHeader {
  const header = parseJson(bytes);
  if (!headerValidator.Check(header))
    throw malformed('the fields of its header are not the expected ones');
  const { at, ageMs, sentMs, facts, replies, unreadable, rows } = header;
  return {
    ...(at && { at: { slot: toSlot(BigInt(at[0])), unix: toUnixSeconds(BigInt(at[1])) } }),
    ...(ageMs !== undefined && { ageMs }),
    ...(sentMs !== undefined && { sentMs }),
    ...(facts && { facts: parseFacts(facts) }),
    ...(replies && { replies: replies.map(parseReply) }),
    ...(rows && { rows }),
    ...(unreadable && { unreadable: unreadable.map(parseUnreadable) }),
  };
}

function factsJson(facts: Partial<FeedFacts>): Static<typeof Facts> {
  const { slotMs, completeShareMints, hasAllPositions, status } = facts;
  const { vaultHistoryVersion, marketTables, stakePools, events, programs } = facts;
  const { proof, drift, positionGaps } = facts;
  return {
    ...(programs && { programs: encodePrograms(programs) }),
    ...(vaultHistoryVersion !== undefined && { vaultHistoryVersion }),
    ...(slotMs && { slotMs: [`${slotMs.numerator}`, `${slotMs.denominator}`] }),
    ...(completeShareMints && { completeShareMints: [...completeShareMints] }),
    ...(hasAllPositions !== undefined && { hasAllPositions }),
    ...(status && {
      status: {
        missing: [...status.missing],
        refusedScans: [...status.refusedScans],
        lagSlots: status.lagSlots,
        alarms: status.alarms.map(({ last, ...alarm }) => ({ ...alarm, ...(last && { last }) })),
        doubts: status.doubts.map((each) => ({ ...each, since: `${each.since}` })),
      },
    }),
    ...(marketTables && { marketTables: marketTables.map(([market, table]) => [market, table]) }),
    ...(stakePools && {
      stakePools: stakePools.map(([mint, { owner, data }]) => [mint, owner, encodeBase64(data)]),
    }),
    ...(proof && { proof }),
    ...(drift && { drift }),
    ...(positionGaps && { positionGaps }),
    ...(events && {
      events: { ...events, upTo: `${events.upTo}`, checkpoint: `${events.checkpoint}` },
    }),
  };
}

function parseFacts(facts: Static<typeof Facts>): Partial<FeedFacts> {
  const { slotMs, completeShareMints, hasAllPositions, status } = facts;
  const { vaultHistoryVersion, marketTables, stakePools, events, programs } = facts;
  const { proof, drift, positionGaps } = facts;
  return {
    ...(programs && { programs: decodePrograms(programs) }),
    ...(vaultHistoryVersion !== undefined && { vaultHistoryVersion }),
    ...(slotMs && { slotMs: { numerator: BigInt(slotMs[0]), denominator: BigInt(slotMs[1]) } }),
    ...(completeShareMints && { completeShareMints: completeShareMints.map(toAddress) }),
    ...(hasAllPositions !== undefined && { hasAllPositions }),
    ...(status && { status: { ...status, doubts: parseDoubts(status.doubts) } }),
    ...(marketTables && {
      marketTables: marketTables.map(
        ([market, table]) => [toAddress(market), toAddress(table)] as const,
      ),
    }),
    ...(stakePools && {
      stakePools: stakePools.map(
        ([mint, owner, data]) => [toAddress(mint), rawAccount(owner, data)] as const,
      ),
    }),
    ...(proof && { proof }),
    ...(drift && { drift }),
    ...(positionGaps && { positionGaps }),
    ...(events && {
      events: {
        upTo: toSlot(BigInt(events.upTo)),
        checkpoint: toSlot(BigInt(events.checkpoint)),
        version: events.version,
      },
    }),
  };
}

function rowsJson({ kind, layout }: Omit<StateRows, 'bytes'>): Static<typeof Rows> {
  const { size, group, discriminator, keys, blocks } = layout;
  return {
    kind,
    layout: {
      ...{ size, group, discriminator: [...discriminator], keys: [...keys] },
      blocks: blocks.map((block) => ({ words: [...block.words], keys: [...block.keys] })),
    },
  };
}

const parseDoubts = (doubts: Static<typeof Doubts> = []): UnprovenReason[] =>
  doubts.map((each) => ({ ...each, since: toSlot(BigInt(each.since)) }));

function rawAccount(owner: string, base64: string): RawAccount {
  const data = decodeBase64(base64);
  if (data === undefined) throw malformed('an account of its header is not base64');
  return { owner: toAddress(owner), data };
}

const unreadableJson = ({ account, slot }: FeedUnreadable): Static<typeof Unreadable> => {
  const { version, belongsTo, ...fields } = account;
  return {
    ...fields,
    slot: `${slot}`,
    ...(version !== undefined && { version: `${version}` }),
    ...(belongsTo !== undefined && { belongsTo }),
  };
};

function parseUnreadable(json: Static<typeof Unreadable>): FeedUnreadable {
  const { address, kind, owner, size, version, reason, belongsTo, slot } = json;
  return {
    slot: toSlot(BigInt(slot)),
    account: {
      address: toAddress(address),
      // only used to find it again: an unknown kind is never asked for
      kind: kind as AccountKind,
      owner: toAddress(owner),
      size,
      version: version === undefined ? undefined : BigInt(version),
      reason,
      belongsTo: belongsTo === undefined ? undefined : toAddress(belongsTo),
    },
  };
}

function parseReply({ id, failure }: Static<typeof Reply>): FeedReply {
  if (failure === undefined) return { id };
  const { reason, incomplete } = failure;
  return { id, failure: { reason, ...(incomplete && { incomplete }) } };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw malformed('its header is not JSON');
  }
}

export const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'feed message', reason });
