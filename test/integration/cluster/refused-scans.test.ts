import { expect, onTestFinished, test } from 'vitest';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import { CodedError } from '#core/base/errors.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import type { ProgramScan } from '#server/chain/source/chain-source.ts';
import type { IndexerOptions } from '#server/indexer/follow/indexer.ts';
import { advanceSlotsWhile, createGoldenIndexer } from '../../support/clusters/golden-indexer.ts';
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
    'Only the 1 vaults of the registry are served.',
    expect.stringMatching(/^Loans and stakes are read per wallet/),
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

test('with scans nothing is missing', async () => {
  const { indexer } = await startRefused(() => false);
  expect(indexer.status().missing).toEqual([]);
});
