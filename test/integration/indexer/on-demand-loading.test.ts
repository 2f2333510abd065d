import { expect, test } from 'vitest';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { CodedError } from '#server/errors.ts';
import {
  advanceSlotsWhile,
  createGoldenIndexer,
  findAccount,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { seededBytes } from '../../support/random/seeded-bytes.ts';

const { tag } = obligation.offsets;
const onDemand = { mode: 'on-demand' } as const;

test('loading a wallet loads its loans and stakes, and no others', async () => {
  const { source, state, indexer } = createGoldenIndexer(onDemand);
  await advanceSlotsWhile(source, indexer.start());
  expect(state.statistics()).toMatchObject({ obligations: 0, farmUsers: 0 });
  const [, raw] = findAccount(source, userState);
  const { owner } = userState.view(raw);
  await advanceSlotsWhile(source, indexer.loadWallet(owner));
  const reference = goldenReader();
  const addresses = (list: readonly { address: string }[]) => list.map(({ address }) => address);
  expect(addresses(state.obligationsOf(owner))).toEqual(addresses(reference.obligationsOf(owner)));
  expect(addresses(state.farmUsersOf(owner))).toEqual(addresses(reference.farmUsersOf(owner)));
  expect(state.statistics().farmUsers).toBe(reference.farmUsersOf(owner).length);
  expect(indexer.status().wallets).toBe(1);
  indexer.stop();
});

test('loading an obligation loads its owner and follows it', async () => {
  const { source, state, indexer } = createGoldenIndexer(onDemand);
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  await advanceSlotsWhile(source, indexer.loadObligation(address));
  expect(state.obligation(address)?.fields.owner).toBe(obligation.view(account).owner);
  source.advanceSlot([[address, withValueAt(account, tag, 91n)]]);
  expect(state.obligation(address)?.fields.tag).toBe(91n);
  const requests = source.requests.length;
  await indexer.loadObligation(address);
  expect(source.requests).toHaveLength(requests);
  indexer.stop();
});

test('loading an address that is not an obligation loads nothing', async () => {
  const { source, state, indexer } = createGoldenIndexer(onDemand);
  await advanceSlotsWhile(source, indexer.start());
  const [address] = findAccount(source, reserve);
  await advanceSlotsWhile(source, indexer.loadObligation(address));
  const unknown = addressFromBytes(seededBytes(3, 32));
  await advanceSlotsWhile(source, indexer.loadObligation(unknown));
  expect(state.statistics().obligations).toBe(0);
  indexer.stop();
});

test('after a gap a wallet is not in state until it is loaded again', async () => {
  const { source, state, indexer } = createGoldenIndexer(onDemand);
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  await advanceSlotsWhile(source, indexer.loadObligation(address));
  source.accounts.set(address, withValueAt(account, tag, 12n));
  source.reportGap();
  expect(state.obligation(address)).toBeUndefined();
  expect(indexer.status().wallets).toBe(0);
  await advanceSlotsWhile(source, indexer.loadObligation(address));
  expect(state.obligation(address)?.fields.tag).toBe(12n);
  indexer.stop();
});

test('a gap during the load of a wallet causes another load without an error', async () => {
  const { source, state, indexer } = createGoldenIndexer(onDemand);
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  let gaps = 0;
  source.duringScan = () => {
    if (gaps === 2) return;
    gaps++;
    source.accounts.set(address, withValueAt(account, tag, BigInt(50 + gaps)));
    source.reportGap();
  };
  await advanceSlotsWhile(source, indexer.loadWallet(obligation.view(account).owner));
  expect(gaps).toBe(2);
  expect(state.obligation(address)?.fields.tag).toBe(52n);
  expect(indexer.status().wallets).toBe(1);
  indexer.stop();
});

test('a gap during the load of a known wallet causes another load', async () => {
  const { source, state, indexer } = createGoldenIndexer(onDemand);
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  const { owner } = obligation.view(account);
  await advanceSlotsWhile(source, indexer.loadWallet(owner));
  const loading = indexer.loadWallet(owner);
  source.accounts.set(address, withValueAt(account, tag, 77n));
  source.reportGap();
  await advanceSlotsWhile(source, loading);
  expect(state.obligation(address)?.fields.tag).toBe(77n);
  indexer.stop();
});

test('a wallet that cannot be read is requested once and not followed', async () => {
  const { source, indexer } = createGoldenIndexer(onDemand);
  await advanceSlotsWhile(source, indexer.start());
  const [, account] = findAccount(source, obligation);
  let scans = 0;
  source.onRequest = (request) => {
    if (request !== 'scan') return;
    scans++;
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'down' });
  };
  const loading = indexer.loadWallet(obligation.view(account).owner);
  await expect(loading).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  expect(scans).toBeLessThanOrEqual(4);
  expect(indexer.status().wallets).toBe(0);
  indexer.stop();
});

test('a wallet that is no longer fresh is read again, so that closed loans disappear', async () => {
  const { source, state, indexer } = createGoldenIndexer({ ...onDemand, timing: { freshMs: 0 } });
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  const { owner } = obligation.view(account);
  await advanceSlotsWhile(source, indexer.loadWallet(owner));
  source.advanceSlot([[address, undefined]]);
  await advanceSlotsWhile(source, indexer.loadWallet(owner));
  expect(state.obligation(address)).toBeUndefined();
  indexer.stop();
});
