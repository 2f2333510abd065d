import { describe, expect, onTestFinished, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAMS } from '#core/protocol/kvault/program.ts';
import type { ProgramScan } from '#server/chain/source/chain-source.ts';
import { CodedError } from '#server/errors.ts';
import type { IndexerOptions } from '#server/indexer/follow/indexer-options.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';
import {
  goldenLoan,
  goldenMarket,
  goldenUser,
  goldenVault,
} from '../../support/golden/golden-addresses.ts';

const markets = [goldenMarket('Main Market'), goldenMarket('JLP Market')];
const VAULT = goldenVault('Steady USDC');
const FRANK = goldenUser('frank').address;
const known = {
  markets: markets.map(({ address, lookupTable }) => ({
    address,
    lookupTable,
    programId: KLEND_PROGRAM,
  })),
  vaults: [VAULT.address],
};

/** Whether the scan is for obligations or farm users, by their discriminators. */
const isUserScan = ({ filters }: ProgramScan) =>
  filters.some(
    (filter) =>
      filter.kind === 'bytes' &&
      filter.offset === 0 &&
      [obligation, userState].some(({ discriminator }) => bytesEqual(discriminator, filter.bytes)),
  );

/** A started indexer whose source refuses the scans for which `refuses` is true. */
async function startRefused(
  refuses: (scan: ProgramScan) => boolean,
  options: Partial<IndexerOptions> = {},
) {
  const created = createGoldenIndexer({ known, ...options });
  const { source, indexer } = created;
  onTestFinished(() => indexer.stop());
  source.onRequest = (request, scan) => {
    if (request !== 'scan' || scan === undefined || !refuses(scan)) return;
    const rejection = 'unknown-method' as const;
    const reason = 'it does not support getProgramAccounts';
    throw new CodedError('SOURCE_REFUSES', { source: source.name, reason, rejection });
  };
  await advanceSlotsWhile(source, indexer.start());
  return created;
}

test.each(['all', 'on-demand'] as const)(
  'without scans, markets, reserves, prices, farms and vaults come from known addresses: %s',
  async (mode) => {
    const { state, indexer } = await startRefused(() => true, { mode });
    expect(indexer.status()).toMatchObject({ ready: true, loading: false });
    for (const market of markets) {
      const reserves = Object.values(market.reserves);
      expect(state.market(market.address)?.address).toBe(market.address);
      expect(state.reservesOf(market.address).map(({ address }) => address)).toEqual(
        reserves.map(({ address }) => address).sort(),
      );
      for (const { scopeFeed } of reserves) expect(state.prices(scopeFeed)).toBeDefined();
    }
    expect(state.vaults().map(({ address }) => address)).toEqual([VAULT.address]);
    const farm = state.farm(VAULT.farm);
    expect(farm?.address).toBe(VAULT.farm);
    expect(farm && state.farmsConfig(farm.fields.globalConfig)).toBeDefined();
  },
);

test('without scans, a wallet is read by its derived addresses, again after it changed', async () => {
  const { state, source, indexer } = await startRefused(() => true, { timing: { freshMs: 0 } });
  expect(state.obligationsOf(FRANK)).toEqual([]);
  await advanceSlotsWhile(source, indexer.loadWallet(FRANK));
  const loan = goldenLoan('frank');
  expect(state.obligationsOf(FRANK).map(({ address }) => address)).toEqual([loan]);
  source.accounts.delete(loan);
  await advanceSlotsWhile(source, indexer.loadWallet(FRANK));
  expect(state.obligationsOf(FRANK)).toEqual([]);
});

test('without scans, a loan is found by its address', async () => {
  const { state, source, indexer } = await startRefused(() => true);
  const loan = goldenLoan('frank');
  await advanceSlotsWhile(source, indexer.loadObligation(loan));
  expect(state.obligation(loan)?.fields.owner).toBe(FRANK);
});

test('without scans, updates of known accounts arrive and what is missing is said', async () => {
  const { source, indexer } = await startRefused(() => true);
  const followed = [...source.subscriptions].flatMap(({ target }) =>
    target.kind === 'accounts' ? target.addresses : [],
  );
  expect(followed).toEqual(expect.arrayContaining([markets[0]?.address, VAULT.address]));
  expect([...source.subscriptions].filter(({ target }) => target.kind === 'program')).toEqual([]);
  expect(indexer.status().missing).toEqual([
    expect.stringMatching(/reject getProgramAccounts\. Add an endpoint/),
    expect.stringMatching(/^Only the 2 markets of the registry/),
    expect.stringMatching(/^Only the 1 vaults of the registry are served/),
    expect.stringMatching(/^Loans and stakes are read per wallet/),
    expect.stringMatching(/^The endpoints refuse to scan the shareholders of 1 vaults/),
  ]);
});

test('if only loans and stakes cannot be scanned at once, they are read per wallet', async () => {
  const hasOwner = ({ filters }: ProgramScan) =>
    filters.some((filter) => filter.kind === 'bytes' && filter.offset > 0);
  const { state, source, indexer } = await startRefused(
    (scan) => isUserScan(scan) && !hasOwner(scan),
  );
  expect(indexer.status().missing).toEqual([expect.stringMatching(/Set OBLIGATIONS to on-demand/)]);
  await advanceSlotsWhile(source, indexer.loadWallet(FRANK));
  expect(state.obligationsOf(FRANK).map(({ address }) => address)).toEqual([goldenLoan('frank')]);
});

test('without scans, the reserves that a known vault lends to are found without lookup tables', async () => {
  const { state } = await startRefused(() => true, {
    known: { markets: [], vaults: [VAULT.address] },
  });
  const lent = [...(state.vault(VAULT.address)?.fields.vaultAllocationStrategy ?? [])]
    .map(({ reserve }) => reserve)
    .filter((address) => address !== ZERO_ADDRESS);
  expect(lent.length).toBeGreaterThan(0);
  for (const address of lent) {
    const market = state.reserve(address)?.fields.lendingMarket;
    expect(market && state.market(market)).toBeDefined();
  }
});

describe('scans that are served later', () => {
  const RETRY = { scanRetryMs: 1, maxScanRetryMs: 4, freshMs: 0 };

  test.each(['all', 'on-demand'] as const)('are used without a restart: %s', async (mode) => {
    let isRefused = true;
    const { state, source, indexer } = await startRefused(() => isRefused, { mode, timing: RETRY });
    await advanceSlotsWhile(source, indexer.loadWallet(FRANK));
    expect(indexer.status().scans.refused).toEqual(
      expect.arrayContaining(['market', 'reserve', 'vault', 'shares']),
    );
    expect(indexer.status().allPositions).toBe(false);
    isRefused = false;
    await advanceSlotsUntil(source, () => indexer.status().scans.refused.length === 0);
    expect(indexer.status()).toMatchObject({ missing: [], scans: { retryInMs: undefined } });
    expect(indexer.status().allPositions).toBe(mode === 'all');
    expect(state.vaults()).toHaveLength(2);
    await advanceSlotsWhile(source, indexer.loadWallet(FRANK));
    const loan = goldenLoan('frank');
    expect(state.obligationsOf(FRANK).map(({ address }) => address)).toEqual([loan]);
    const programs = [...source.subscriptions].filter(({ target }) => target.kind === 'program');
    expect(programs.length).toBeGreaterThan(5);
    // updates of accounts that were not known before arrive
    const other = goldenVault('SOL Earn').address;
    const account = source.accounts.get(other);
    if (account === undefined) throw new Error('no such vault');
    source.advanceSlot([[other, withValueAt(account, vaultState.offsets.sharesIssued, 5n)]]);
    expect(state.vault(other)?.fields.sharesIssued).toBe(5n);
  });

  test('are tried with growing pauses, and what is served stays in use', async () => {
    let now = 0;
    const isVault = ({ program }: ProgramScan) => KVAULT_PROGRAMS.includes(program);
    let refuses: (scan: ProgramScan) => boolean = () => true;
    const { source, indexer } = await startRefused((scan) => refuses(scan), {
      clock: () => now,
      timing: { scanRetryMs: 1_000, maxScanRetryMs: 4_000 },
    });
    const pauses: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      await advanceSlotsUntil(source, () => (indexer.status().scans.retryInMs ?? 0) > 0);
      const pause = indexer.status().scans.retryInMs;
      pauses.push(pause);
      const scans = source.requests.filter((request) => request === 'scan').length;
      now += pause ?? 0;
      await advanceSlotsUntil(
        source,
        () => source.requests.filter((request) => request === 'scan').length > scans,
      );
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 4_000]);
    refuses = (scan) => isVault(scan);
    await advanceSlotsUntil(source, () => (indexer.status().scans.retryInMs ?? 0) > 0);
    now += 4_000;
    await advanceSlotsUntil(source, () => !indexer.status().scans.refused.includes('market'));
    expect(indexer.status().scans.refused).toContain('vault');
  });
});

test('with scans nothing is missing', async () => {
  const { indexer } = await startRefused(() => false);
  expect(indexer.status().missing).toEqual([]);
});
