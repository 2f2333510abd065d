import { expect, test } from 'vitest';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { knownTokens } from '#core/protocol/spl/known-tokens.ts';
import type { ClusterState } from '#core/state/cluster-state.ts';
import { type AccountKind, identifyAccount, type StatePart } from '#core/state/index.ts';
import type { DataDependency } from '#server/clusters/data-versions.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';
import { staticRecording } from '../../support/golden/static-recording.ts';
import {
  type CacheableOperation,
  createTestApp,
  createTestCluster,
  createTestRecentEvents,
  createTestVaultHistory,
  findTestSubject,
  listCacheableOperations,
  loadSimulatedState,
} from '../../support/http/cacheable-operations.ts';
import { recordReads } from '../../support/http/recording-reader.ts';
import { decodedSimulation, SIMULATION_END } from '../../support/localnet/simulated-genesis.ts';

const simulation = decodedSimulation('tidegate');
const subject = findTestSubject(simulation);

/** A day later, so that everything that accrues has another value. */
const LATER: ChainTime = {
  slot: toSlot(SIMULATION_END.slot + 216_000n),
  unix: toUnixSeconds(SIMULATION_END.unix + 86_400n),
};

test.each([
  ['its registry', {}],
  ['an empty registry', { registry: emptyRegistry }],
])(
  'a cached operation declares every part of the state that it reads, with %s',
  async (_, changes) => {
    const state = loadSimulatedState(simulation);
    const { reader: vaultHistory } = createTestVaultHistory(simulation);
    const cluster = { ...createTestCluster(simulation, state, vaultHistory), ...changes };
    const operations = await listCacheableOperations(createTestApp({ cluster }), subject);
    expect(operations.length).toBeGreaterThan(25);
    const undeclared: Record<string, readonly StatePart[]> = {};
    for (const { operationId, path, dependsOn } of operations) {
      const reads = new Set<StatePart>();
      let isRecording = false;
      const reader = recordReads(state, (part) => isRecording && reads.add(part));
      const onHandler = (handler: string) => {
        isRecording = handler === operationId;
      };
      const { app } = createTestApp({ cluster: { ...cluster, reader }, onHandler });
      // Formats the headers of the slot, so that only the operation reads its time afterwards.
      await app.inject('/health');
      const { statusCode } = await app.inject(path);
      expect({ path, statusCode }).toEqual({ path, statusCode: 200 });
      const missing = [...reads].filter((part) => !dependsOn.includes(part));
      if (missing.length > 0) undeclared[operationId] = missing;
    }
    expect(undeclared).toEqual({});
  },
);

type Change = { readonly apply: () => unknown; readonly undo: () => unknown };

test('a change of data renews the responses that depend on it, and no others', async () => {
  const state = loadSimulatedState(simulation);
  const vaultHistory = createTestVaultHistory(simulation);
  const recentEvents = createTestRecentEvents();
  const served = createTestCluster(simulation, state, vaultHistory.reader);
  const recording = staticRecording({ ...served.recording, recentEvents: recentEvents.reader });
  const cluster = { ...served, recording };
  const tokens = createChangingTokens();
  const handled: string[] = [];
  const onHandler = (operationId: string) => handled.push(operationId);
  const cached = createTestApp({ cluster, tokens: tokens.source, onHandler });
  const operations = await listCacheableOperations(cached, subject);
  const read = async ({ app }: typeof cached, { path }: CacheableOperation) => {
    const { statusCode, body, headers } = await app.inject(path);
    const { 'x-request-id': _, date: __, ...compared } = headers;
    return { path, statusCode, body, headers: compared };
  };
  const changes: readonly (readonly [DataDependency, Change])[] = [
    ...accountChanges(state),
    ['vaultHistory', { apply: vaultHistory.change, undo: vaultHistory.change }],
    ['recentEvents', { apply: recentEvents.change, undo: recentEvents.change }],
    ['tokens', { apply: tokens.change, undo: tokens.change }],
    ['slotDuration', slotDurationChange(state)],
    ['slot', { apply: () => state.setAt(LATER), undo: () => undefined }],
  ];
  for (const [part, { apply, undo }] of changes) {
    for (const operation of operations) {
      expect(await read(cached, operation)).toMatchObject({ statusCode: 200 });
    }
    apply();
    const fresh = createTestApp({ cluster, tokens: tokens.source });
    for (const operation of operations) {
      const { path, dependsOn } = operation;
      handled.length = 0;
      expect({ part, ...(await read(cached, operation)) }).toEqual({
        part,
        ...(await read(fresh, operation)),
      });
      const isRenewed = handled.length > 0;
      expect({ part, path, isRenewed }).toEqual({
        part,
        path,
        isRenewed: dependsOn.includes(part),
      });
    }
    undo();
  }
});

/** For each kind: closes all its accounts, and creates them again. */
function accountChanges(state: ClusterState): (readonly [AccountKind, Change])[] {
  const accounts = [...simulation.accounts].map(([address, account]) => {
    return { address, account, kind: identifyAccount(account).kind };
  });
  const kinds: readonly AccountKind[] = [
    ...(['market', 'reserve', 'obligation', 'vault', 'farm', 'farmsConfig', 'farmUser'] as const),
    ...(['prices', 'shares', 'lookupTable'] as const),
  ];
  const sharesMints = new Set([...simulation.vaults.values()].map(({ sharesMint }) => sharesMint));
  const isStored = (address: (typeof accounts)[number]['address']) => {
    const token = simulation.tokenAccounts.get(address);
    return token === undefined || sharesMints.has(token.mint);
  };
  return kinds.map((kind) => {
    const ofKind = accounts.filter((each) => each.kind === kind && isStored(each.address));
    const slotAfter = (slots: bigint) => toSlot(SIMULATION_END.slot + slots);
    const close = () => {
      for (const { address } of ofKind) {
        state.apply({ address, account: undefined, slot: slotAfter(1n) });
      }
    };
    const restore = () => {
      for (const { address, account } of ofKind) {
        state.apply({ address, account, slot: slotAfter(2n) });
      }
    };
    expect({ kind, isEmpty: ofKind.length === 0 }).toEqual({ kind, isEmpty: false });
    return [kind, { apply: close, undo: restore }];
  });
}

function slotDurationChange(state: ClusterState): Change {
  const before = state.slotMs();
  return {
    apply: () => state.setSlotMs({ numerator: 450n, denominator: 1n }),
    undo: () => state.setSlotMs(before),
  };
}

/** The known tokens, and every other time none. */
function createChangingTokens() {
  let version = 1;
  const [full, empty] = [createStaticTokens(knownTokens), createStaticTokens([])];
  const catalogue = () => (version % 2 === 1 ? full : empty).catalogue();
  return { source: { ...full, catalogue, version: () => version }, change: () => version++ };
}
