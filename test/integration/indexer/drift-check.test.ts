import { expect, onTestFinished, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { CodedError } from '#server/errors.ts';
import { DriftCheck, type DriftCheckOptions } from '#server/indexer/drift/drift-check.ts';
import type { DriftStatus } from '#server/indexer/drift/drift-tally.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  findAccount,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const { tag, lastUpdate } = obligation.offsets;

/** A check of a golden cluster whose state is loaded. Passes follow each other without a pause. */
async function startCheck(options: Partial<DriftCheckOptions> = {}) {
  const indexing = createGoldenIndexer();
  const { source, state, indexer } = indexing;
  await advanceSlotsWhile(source, indexer.start());
  const losses: string[] = [];
  const seen: DriftStatus[] = [];
  let time = 0;
  const check = new DriftCheck({
    source,
    state,
    followed: indexer.followed,
    step: () => 'websocket',
    timing: { programsMs: 2, usersMs: 2, recheckMs: 1 },
    onLoss: (step, reason) => losses.push(`${step}: ${reason}`),
    onChange: (status) => seen.push(status),
    clock: () => ++time,
    now: () => performance.now(),
    log: silentLog,
    ...options,
  });
  onTestFinished(() => {
    check.stop();
    indexer.stop();
  });
  const passesOf = (scope: string) =>
    seen.filter(({ passes }) => passes.some((each) => each.scope === scope && each.lastEndedAt));
  return { ...indexing, check, losses, seen, passesOf };
}

type Checked = Awaited<ReturnType<typeof startCheck>>;

/** Waits until the state holds what the chain has. */
async function untilHeld({ source, state }: Checked, address: Address): Promise<void> {
  await advanceSlotsUntil(source, () => {
    const account = source.accounts.get(address);
    return account !== undefined && state.holds(address, account);
  });
}

const untilClosed = ({ source, check }: Checked) =>
  advanceSlotsUntil(source, () => {
    const { kinds } = check.status();
    return kinds.length > 0 && kinds.every(({ open }) => open === undefined);
  });

test('an account whose update was lost is found, put right, and counted once', async () => {
  const checked = await startCheck();
  const { source, check, losses, seen } = checked;
  for (const codec of [obligation, reserve]) {
    const [address, account] = findAccount(source, codec);
    source.accounts.set(address, withValueAt(account, codec.offsets.lastUpdate, 9n));
  }
  source.advanceSlot();
  check.start();
  await advanceSlotsUntil(source, () => losses.length === 2);
  await untilClosed(checked);
  expect(check.status().kinds).toMatchObject([
    { kind: 'obligation', bySource: new Map([['websocket', 1]]), open: undefined },
    { kind: 'reserve', bySource: new Map([['websocket', 1]]), open: undefined },
  ]);
  expect(losses.toSorted()).toEqual([
    'websocket: updates were lost: 1 accounts (obligation) had to be corrected',
    'websocket: updates were lost: 1 accounts (reserve) had to be corrected',
  ]);
  const open = seen.find(({ kinds }) => kinds.some((each) => each.open !== undefined));
  expect(open?.kinds[0]?.open).toMatchObject({ accounts: 1 });
});

test('when one loan differs, all are compared as a whole, also those that seem right', async () => {
  const checked = await startCheck({
    timing: { programsMs: 60_000, usersMs: 500, recheckMs: 1 },
  });
  const { source, state, check } = checked;
  const loans = [...source.accounts].filter(([, account]) => obligation.matches(account));
  for (const [i, [address, account]] of loans.entries()) {
    // all but one keep the slot of their last update
    source.accounts.set(address, withValueAt(account, i === 0 ? lastUpdate : tag, 7n));
  }
  source.advanceSlot();
  check.start();
  await untilClosed(checked);
  const total = [...(check.status().kinds[0]?.bySource.values() ?? [])];
  expect(total).toEqual([loans.length]);
  for (const [address] of loans) {
    expect(state.holds(address, source.accounts.get(address) ?? Object(undefined))).toBe(true);
  }
});

test('a loan that changed without its last update is found by a later pass', async () => {
  const checked = await startCheck();
  const { source, check } = checked;
  const [address, account] = findAccount(source, obligation);
  source.accounts.set(address, withValueAt(account, tag, 5n));
  source.advanceSlot();
  check.start();
  await untilHeld(checked, address);
});

test('a loan that state lacks is found', async () => {
  const { source, state, check } = await startCheck();
  const [, account] = findAccount(source, obligation);
  check.start();
  let count = 0;
  let added: Address | undefined;
  // another reader of the indexer may read a new account first: then the next one is for the check
  await advanceSlotsUntil(source, () => {
    if (added === undefined || state.holds(added, account)) {
      count += 1;
      added = addressFromBytes(new Uint8Array(32).fill(count));
      source.accounts.set(added, account);
    }
    return check.status().kinds.length > 0;
  });
  expect(check.status().kinds.map(({ kind }) => kind)).toEqual(['obligation']);
  expect(state.obligation(addressFromBytes(new Uint8Array(32).fill(1)))).toBeDefined();
});

test('updates that are announced are no difference, and a closed account is none', async () => {
  const checked = await startCheck();
  const { source, check, passesOf } = checked;
  const [[loan, ofLoan], [bank, ofBank]] = [
    findAccount(source, obligation),
    findAccount(source, reserve),
  ];
  const closed = [...source.accounts].findLast(([, each]) => obligation.matches(each))?.[0];
  if (closed !== undefined) source.accounts.delete(closed);
  check.start();
  let value = 1n;
  for (const scope of ['programs', 'users']) {
    const before = passesOf(scope).length;
    await advanceSlotsUntil(source, () => {
      value += 1n;
      source.advanceSlot([
        [loan, withValueAt(ofLoan, lastUpdate, value)],
        [bank, withValueAt(ofBank, reserve.offsets.lastUpdate, value)],
      ]);
      return passesOf(scope).length > before + 30;
    });
  }
  expect(check.status().kinds).toEqual([]);
});

test('while the server polls, a lost loan is put right, and nothing is counted', async () => {
  const checked = await startCheck({ step: () => 'polling' });
  const { source, check, losses } = checked;
  const [address, account] = findAccount(source, obligation);
  source.accounts.set(address, withValueAt(account, lastUpdate, 9n));
  source.advanceSlot();
  check.start();
  await untilHeld(checked, address);
  expect([check.status().kinds, losses]).toEqual([[], []]);
});

test('a pass whose reads fail does not end, and the next one does', async () => {
  const checked = await startCheck();
  const { source, check, seen, passesOf } = checked;
  source.onRequest = (request) => {
    if (request !== 'accounts') return;
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'it is away' });
  };
  check.start();
  const startsOf = () =>
    new Set(seen.flatMap(({ passes }) => passes.filter(({ scope }) => scope === 'programs'))).size;
  await advanceSlotsUntil(source, () => startsOf() > 2);
  expect(passesOf('programs')).toEqual([]);
  source.onRequest = () => undefined;
  await advanceSlotsUntil(source, () => passesOf('programs').length > 0);
});
