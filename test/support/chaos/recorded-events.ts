import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { type Slot, toSlot } from '#core/base/time.ts';
import type { ExpectedEvents } from './ledger-index.ts';

const SCHEMA = 'tidegate_localnet';

type RecordedEvents = Pick<ExpectedEvents, 'signature' | 'slot' | 'events'>;

/** A database with events; `schema` is that of a served one if omitted. */
type EventDatabase = {
  readonly schema?: string;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
};

/** Numbers of event kinds in the database, as docs and migrations fix them, by what a wallet did. */
const LENDING_ACTIONS: Readonly<Record<number, string>> = {
  0: 'open loan',
  2: 'lend',
  3: 'take out',
  4: 'borrow',
  5: 'repay',
  6: 'repay',
  15: 'flash borrow',
  16: 'flash repay',
};
const VAULT_ACTIONS: Readonly<Record<number, string>> = {
  0: 'buy shares',
  1: 'buy shares',
  2: 'sell shares',
  3: 'sell shares',
  4: 'sell shares',
};

const FARM_ACTIONS: Readonly<Record<number, string>> = {
  0: 'stake',
  1: 'unstake',
  2: 'withdraw stake',
  3: 'harvest',
  4: 'set stake',
};
const ACTIONS = { lending: LENDING_ACTIONS, vault: VAULT_ACTIONS, farm: FARM_ACTIONS } as const;

/** What a flash loan costs is paid with it. */
const queryOf = ({ schema = SCHEMA }: EventDatabase): string => `
  select 'lending' as area, signature, slot::text, kind,
    coalesce((liquidity_amount + case kind when 16 then fee_amount else 0 end)::text, '') as amounts
    from ${schema}.lending_event
  union all select 'vault', signature, slot::text, kind, shares_amount || ' for ' || token_amount
    from ${schema}.vault_event
  union all select 'farm', signature, slot::text, kind, amount::text from ${schema}.farm_event`;

type EventRecord = {
  readonly area: keyof typeof ACTIONS;
  readonly signature: Buffer;
  readonly slot: string;
  readonly kind: number;
  readonly amounts: string | null;
};

/** The recorded events of the compared kinds, by transaction. */
export async function readRecordedEvents(
  database: EventDatabase,
): Promise<readonly RecordedEvents[]> {
  const rows = (await database.query(queryOf(database))) as unknown as readonly EventRecord[];
  const found = new Map<string, { signature: string; slot: Slot; events: string[] }>();
  for (const { area, signature, slot, kind, amounts } of rows) {
    const action = ACTIONS[area][kind];
    if (action === undefined) continue;
    const event = `${action} ${amounts}`;
    const key = `${signature.toString('hex')} ${slot}`;
    const known = found.get(key);
    if (known !== undefined) known.events.push(event);
    else {
      const text = encodeBase58(signature);
      found.set(key, { signature: text, slot: toSlot(BigInt(slot)), events: [event] });
    }
  }
  return [...found.values()].map((each) => ({ ...each, events: each.events.toSorted() }));
}

/** The slot up to which all events are recorded; 0 if there is none. */
export async function readEventsCheckpoint(
  database: EventDatabase,
  name: 'events' | 'events-since' = 'events',
): Promise<Slot> {
  const rows = await database.query(
    `select slot::text from ${database.schema ?? SCHEMA}.checkpoint where name = '${name}'`,
  );
  return toSlot(BigInt(String(rows[0]?.['slot'] ?? 0)));
}

/** Events that one side has and the other has not, in words. */
export function compareEvents(
  expected: readonly RecordedEvents[],
  recorded: readonly RecordedEvents[],
): readonly string[] {
  const describe = ({ signature, slot, events }: RecordedEvents) =>
    `${signature} in slot ${slot}: ${events.join(', ')}`;
  const expectedLines = new Set(expected.map(describe));
  const recordedLines = new Set(recorded.map(describe));
  return [
    ...[...expectedLines].filter((line) => !recordedLines.has(line)).map((line) => `lost ${line}`),
    ...[...recordedLines].filter((line) => !expectedLines.has(line)).map((line) => `extra ${line}`),
  ];
}
