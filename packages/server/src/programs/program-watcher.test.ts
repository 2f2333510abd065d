import { type Address, type ClusterAccount, type Logger, toSlot } from '@tidegate/core/base';
import { modelExecutable, type ProgramName } from '@tidegate/core/protocol/releases';
import { encodeProgramData, UPGRADEABLE_LOADER } from '@tidegate/core/protocol/spl';
import { expect, onTestFinished, test } from 'vitest';
import type { SubscriptionListener } from '../chain/source/chain-source.ts';
import { CodedError } from '../errors.ts';
import { ProgramWatcher, type ProgramWatcherOptions } from './program-watcher.ts';
import { programsOfCluster } from './read-programs.ts';

const watched = programsOfCluster('localnet');

const dataOf = (name: ProgramName): Address => {
  const found = watched.find(({ program }) => program === name);
  if (found === undefined) throw new Error('not watched');
  return found.programData;
};

const deployed = (executable: Uint8Array, slot: bigint): ClusterAccount => ({
  owner: UPGRADEABLE_LOADER,
  lamports: 1n,
  data: encodeProgramData({ deploySlot: toSlot(slot), authority: undefined }, executable),
});

const release = (version: string, slot: bigint) =>
  deployed(modelExecutable('klend', version), slot);

const ignore = () => undefined;

type Source = ProgramWatcherOptions['source'];

/** The far side: accounts by address, and a subscription that the test notifies. */
class FakeSource implements Source {
  readonly accounts = new Map<Address, ClusterAccount>();
  /** Addresses and the largest number of bytes of each read. */
  readonly reads: [number, number | undefined][] = [];
  listener: SubscriptionListener | undefined;
  slot = 100n;
  hasStream = true;
  failures = 0;

  getAccounts: Source['getAccounts'] = async (addresses, _, maxBytes) => {
    this.reads.push([addresses.length, maxBytes]);
    if (this.failures-- > 0)
      throw new CodedError('SOURCE_UNAVAILABLE', { source: 'it', reason: 'no' });
    const accounts = addresses.map((address) => {
      const account = this.accounts.get(address);
      return account && { ...account, data: account.data.slice(0, maxBytes) };
    });
    return { slot: toSlot(this.slot), accounts };
  };

  subscribe: Source['subscribe'] = (_, listener) => {
    this.listener = listener;
    return {
      ready: Promise.resolve(),
      sendsUpdates: () => this.hasStream,
      stop: () => undefined,
    };
  };

  send(slot: bigint, account: ClusterAccount): void {
    this.listener?.onAccount({ address: dataOf('klend'), slot: toSlot(slot), account });
  }
}

function start(
  source: FakeSource,
  timing: ProgramWatcherOptions['timing'] = {},
  clock: () => number = () => 0,
) {
  const lines: unknown[] = [];
  const record: Logger['warn'] = (context, message) => void lines.push({ ...context, message });
  const log = { debug: ignore, info: record, warn: record, error: ignore };
  const changes: number[] = [];
  const watcher: ProgramWatcher = new ProgramWatcher({
    source,
    cluster: 'localnet',
    clock,
    log,
    timing,
    onChange: ({ releases }) => changes.push(releases.length),
  });
  onTestFinished(() => watcher.stop());
  watcher.start();
  const klend = () => watcher.programs().deployed.find(({ program }) => program === 'klend');
  return { watcher, klend, lines, changes };
}

function sourceWith(account: ClusterAccount): FakeSource {
  const source = new FakeSource();
  source.accounts.set(dataOf('klend'), account);
  return source;
}

const HOUR_MS = 3_600_000;

test('the headers are read in one call, and then each program that exists', async () => {
  const source = sourceWith(release('1.24', 7n));
  const { klend, lines, watcher } = start(source);
  await expect.poll(klend).toMatchObject({ deploySlot: 7n, release: { version: '1.24' } });
  expect(source.reads).toEqual([
    [4, 45],
    [1, undefined],
  ]);
  expect(lines).toMatchObject([{ message: 'a program was read', program: 'klend' }]);
  expect(watcher.programs()).toMatchObject({
    releases: [{ program: 'klend', version: '1.24', from: 8n }],
    upgrades: [],
  });
});

test('an upgrade that the stream sends is known at once, without a call', async () => {
  const source = sourceWith(release('1.24', 0n));
  const { klend, lines, watcher, changes } = start(source);
  await expect.poll(klend).toBeDefined();
  source.send(500n, release('1.25', 500n));
  expect(klend()?.release?.version).toBe('1.25');
  expect(watcher.programs().releases).toEqual([
    { program: 'klend', version: '1.24', from: 0n },
    { program: 'klend', version: '1.25', from: 501n },
  ]);
  expect(watcher.programs().upgrades).toEqual([{ program: 'klend', count: 1 }]);
  expect(lines[1]).toMatchObject({
    message: 'a program was upgraded',
    deploySlot: 500n,
    release: '1.25',
    unknownSince: undefined,
    before: { release: '1.24', deploySlot: 0n },
  });
  expect(changes).toEqual([1, 2]);
  expect(source.reads).toHaveLength(2);
});

test('bytes that name no release are unknown since their slot, and the release before stays', async () => {
  const source = sourceWith(release('1.24', 0n));
  const { klend, lines, watcher } = start(source);
  await expect.poll(klend).toBeDefined();
  source.send(500n, deployed(Uint8Array.of(1, 2, 3), 500n));
  expect(klend()).toMatchObject({ release: undefined, deploySlot: 500n, size: 3 });
  expect(watcher.programs().releases).toEqual([{ program: 'klend', version: '1.24', from: 0n }]);
  expect(lines[1]).toMatchObject({ message: 'a program was upgraded', unknownSince: 500n });
});

test('an update of an older slot is ignored', async () => {
  const source = sourceWith(release('1.25', 90n));
  const { klend } = start(source);
  await expect.poll(klend).toBeDefined();
  source.send(99n, release('1.24', 50n));
  expect(klend()?.release?.version).toBe('1.25');
});

test('after a gap the headers are read, and an upgrade that was rolled back is undone', async () => {
  const source = sourceWith(release('1.24', 0n));
  const { klend, watcher } = start(source);
  await expect.poll(klend).toBeDefined();
  source.send(500n, release('1.25', 500n));
  source.listener?.onGap('a fork was abandoned');
  await expect.poll(() => klend()?.release?.version).toBe('1.24');
  expect(watcher.programs().releases).toEqual([{ program: 'klend', version: '1.24', from: 0n }]);
});

test('without a stream the headers are polled, and a program is read if its slot has changed', async () => {
  const source = sourceWith(release('1.24', 0n));
  source.hasStream = false;
  const { klend } = start(source, { pollMs: 5 });
  await expect.poll(() => source.reads.length).toBeGreaterThan(4);
  expect(source.reads.filter(([, maxBytes]) => maxBytes === undefined)).toHaveLength(1);
  source.accounts.set(dataOf('klend'), release('1.25', 200n));
  await expect.poll(() => klend()?.release?.version).toBe('1.25');
});

test('a failed read is repeated', async () => {
  const source = sourceWith(release('1.24', 0n));
  source.failures = 2;
  const { klend } = start(source, { retryMs: 5 });
  await expect.poll(klend).toBeDefined();
});

test('with a stream the programs are read again once a day only', async () => {
  const source = sourceWith(release('1.24', 0n));
  let hours = 0;
  const { klend } = start(source, { pollMs: 5 }, () => hours * HOUR_MS);
  await expect.poll(klend).toBeDefined();
  hours = 23;
  source.accounts.set(dataOf('klend'), release('1.25', 0n));
  expect(source.reads).toHaveLength(2);
  hours = 24;
  await expect.poll(() => klend()?.release?.version).toBe('1.25');
  expect(source.reads).toHaveLength(4);
});

test('an account that is no program data is not a program', async () => {
  const source = sourceWith(release('1.24', 0n));
  const { klend, lines } = start(source);
  await expect.poll(klend).toBeDefined();
  source.send(500n, { ...release('1.25', 500n), data: new Uint8Array(3) });
  expect(klend()?.release?.version).toBe('1.24');
  expect(lines[1]).toMatchObject({ message: 'the data of a program cannot be read' });
});

test('releases that ran before this process started are known, unless they were rolled back', async () => {
  const source = sourceWith(deployed(Uint8Array.of(1), 500n));
  const earlier = [
    { program: 'klend', version: '1.24', from: toSlot(0n) },
    { program: 'klend', version: '1.25', from: toSlot(501n) },
  ] as const;
  let failures = 1;
  const readEarlier = async () => {
    if (failures-- > 0) throw new CodedError('TIMED_OUT', {});
    return earlier;
  };
  const watcher = new ProgramWatcher({
    source,
    cluster: 'localnet',
    clock: () => 0,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    timing: { pollMs: 5 },
    readEarlier,
    onChange: ignore,
  });
  onTestFinished(() => watcher.stop());
  watcher.start();
  await expect.poll(() => watcher.programs().deployed.length).toBe(1);
  await expect.poll(() => watcher.programs().releases).toEqual([earlier[0]]);
});
