import type { Status } from '@tidegate/client';
import { expect, test } from 'vitest';
import { operatorChecks } from './operator-checks.ts';

type ServedCluster = Status['clusters'][number];

const NOW = '2026-01-01T00:00:00.000Z';

/** A cluster without any problem. */
const healthy: ServedCluster = {
  env: 'mainnet-beta',
  commitment: 'confirmed',
  slot: '1000',
  blockTime: NOW,
  ageMs: 400,
  lagSlots: 1,
  waitingFor: null,
  endpoints: ['a', 'b'].map((name) => {
    return { name, healthy: true, slot: '1000', lastError: null, usage: null };
  }),
  source: {
    step: 'grpc',
    since: NOW,
    reason: 'It is the preferred source.',
    steps: [{ step: 'grpc', active: true, lastError: null, retryAt: null }],
  },
  alarms: [],
  history: { engine: 'postgres', available: true, recording: true, since: null, problem: null },
  missing: [],
  scans: { refused: [], retryAt: null },
  checks: {
    confirmedAbsences: 3,
    refutedAbsences: 0,
    unconfirmedAbsences: 0,
    lateUpdates: 0,
    delayMs: 0,
    completeTo: null,
    comparedAccounts: 5_000,
    wrongAccounts: 0,
    disputedAccounts: 0,
  },
  undecodedAccounts: 0,
  unreadableAccounts: [],
  unproven: [],
  stalePrices: [],
  registry: {
    markets: 1,
    unnamedMarkets: 0,
    tokens: 1,
    unnamedTokens: 0,
    withoutLookupTable: 0,
    foundLookupTables: 0,
  },
  proof: { summary: '12 transactions proven', counterexamples: 0 },
  drift: {
    isRunning: true,
    kinds: [],
    passes: [],
    sums: {
      waitingFor: null,
      checkedSlot: '990',
      checkedAt: NOW,
      cpuMs: 5,
      found: 0,
      open: 0,
      first: [],
    },
  },
  positionGaps: { isRunning: true, checkedSlot: '990', found: 2, closed: 2, open: 0, oldest: [] },
  programs: [],
};

const attentionTo = (changes: Partial<ServedCluster>) =>
  operatorChecks({ ...healthy, ...changes }).filter(({ state }) => state === 'attention');

test('nothing needs attention while all is well, and nothing is to do', () => {
  const checks = operatorChecks(healthy);
  expect(checks.map(({ state }) => state)).toEqual(checks.map(() => 'ok'));
  expect(checks.filter(({ action }) => action !== undefined)).toEqual([]);
});

test.each<[string, Partial<ServedCluster>, string]>([
  ['Ready', { waitingFor: 'the first load' }, 'waits for the first load'],
  [
    'Source of updates',
    {
      source: {
        ...healthy.source,
        step: 'polling',
        steps: [
          { step: 'grpc', active: false, lastError: 'closed', retryAt: NOW },
          { step: 'polling', active: true, lastError: null, retryAt: null },
        ],
      },
    },
    'polling instead of grpc: closed',
  ],
  [
    'Endpoints',
    {
      endpoints: [{ name: 'a', healthy: false, slot: null, lastError: 'refused', usage: null }],
    },
    'a: refused',
  ],
  [
    'Endpoints',
    {
      endpoints: [
        {
          name: 'a',
          healthy: true,
          slot: '1',
          lastError: null,
          usage: {
            lastMinute: { calls: 1, bytes: 1 },
            today: { calls: 1, bytes: 9 },
            budget: { callsPerSecond: null, bytesPerDay: 9, bytesLeft: 0 },
          },
        },
      ],
    },
    'a has no bytes left today',
  ],
  [
    'Sources that were wrong',
    { alarms: [{ kind: 'leap', count: 2, source: 'b', reason: 'slot 9', at: NOW }] },
    '2 times, last b: slot 9',
  ],
  [
    'Database of the history',
    {
      history: {
        engine: 'postgres',
        available: false,
        recording: false,
        since: NOW,
        problem: 'Start the database.',
      },
    },
    'cannot be read',
  ],
  [
    'State against the chain',
    {
      drift: {
        ...healthy.drift,
        kinds: [{ kind: 'loan', source: 'ws', accounts: 4, since: '900', lastHealedAt: NOW }],
      },
    },
    'ws lost updates of loan',
  ],
  [
    'Sums over all positions',
    { drift: { ...healthy.drift, sums: { ...healthy.drift.sums, open: 1 } } },
    '1 differ: ',
  ],
  [
    'Events of positions',
    { positionGaps: { ...healthy.positionGaps, open: 1_200 } },
    '1,200 positions have missing transactions',
  ],
  [
    'What nodes leave out',
    { checks: { ...healthy.checks, wrongAccounts: 1, refutedAbsences: 2 } },
    '1 accounts were wrong at one endpoint, 2 accounts were left out',
  ],
  ['Proof by replay', { proof: { summary: '1 differs', counterexamples: 1 } }, '1 slots differ'],
  ['Accounts', { undecodedAccounts: 3 }, '3 have a layout that is not known'],
])('%s is named with what to do', (name, changes, found) => {
  expect(attentionTo(changes)).toEqual([
    { name, state: 'attention', found, action: expect.stringMatching(/\.$/) },
  ]);
});

test('what a deployment does not do is off, with the setting', () => {
  const checks = operatorChecks({
    ...healthy,
    history: null,
    proof: { summary: 'off', counterexamples: 0 },
    drift: { ...healthy.drift, isRunning: false },
  });
  const off = checks.filter(({ state }) => state === 'off');
  expect(off.map(({ name }) => name)).toEqual([
    'Database of the history',
    'State against the chain',
    'Sums over all positions',
    'Proof by replay',
  ]);
  expect(off.every(({ action }) => action !== undefined)).toBe(true);
});
