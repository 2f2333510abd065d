import { expect, test } from 'vitest';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { CodedError } from '#core/base/errors.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import {
  advanceSlotsWhile,
  createGoldenIndexer,
  findAccount,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { seededBytes } from '../../support/random/seeded-bytes.ts';

const { tag } = obligation.offsets;
const demand = { mode: 'on-demand' } as const;

test('loans and stakes of a wallet are there when it was asked for, and no others', async () => {
  const { source, state, indexer } = createGoldenIndexer(demand);
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

test('an obligation brings in its owner, and is followed from then on', async () => {
  const { source, state, indexer } = createGoldenIndexer(demand);
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  await advanceSlotsWhile(source, indexer.loadObligation(address));
  expect(state.obligation(address)?.fields.owner).toBe(obligation.view(account).owner);
  source.step([[address, withValueAt(account, tag, 91n)]]);
  expect(state.obligation(address)?.fields.tag).toBe(91n);
  const asked = source.requests.length;
  await indexer.loadObligation(address);
  expect(source.requests).toHaveLength(asked);
  indexer.stop();
});

test('what is no obligation brings in nothing', async () => {
  const { source, state, indexer } = createGoldenIndexer(demand);
  await advanceSlotsWhile(source, indexer.start());
  const [address] = findAccount(source, reserve);
  await advanceSlotsWhile(source, indexer.loadObligation(address));
  const nowhere = addressFromBytes(seededBytes(3, 32));
  await advanceSlotsWhile(source, indexer.loadObligation(nowhere));
  expect(state.statistics().obligations).toBe(0);
  indexer.stop();
});

test('after a gap a wallet is unknown until it is asked for again', async () => {
  const { source, state, indexer } = createGoldenIndexer(demand);
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  await advanceSlotsWhile(source, indexer.loadObligation(address));
  source.accountsNow.set(address, withValueAt(account, tag, 12n));
  source.gap();
  expect(state.obligation(address)).toBeUndefined();
  expect(indexer.status().wallets).toBe(0);
  await advanceSlotsWhile(source, indexer.loadObligation(address));
  expect(state.obligation(address)?.fields.tag).toBe(12n);
  indexer.stop();
});

test('a gap while a wallet is read makes it be read anew, and fails nobody', async () => {
  const { source, state, indexer } = createGoldenIndexer(demand);
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  let gaps = 0;
  source.duringScan = () => {
    if (gaps === 2) return;
    gaps++;
    source.accountsNow.set(address, withValueAt(account, tag, BigInt(50 + gaps)));
    source.gap();
  };
  await advanceSlotsWhile(source, indexer.loadWallet(obligation.view(account).owner));
  expect(gaps).toBe(2);
  expect(state.obligation(address)?.fields.tag).toBe(52n);
  expect(indexer.status().wallets).toBe(1);
  indexer.stop();
});

test('a gap while a wallet that is there is looked at makes it be read anew', async () => {
  const { source, state, indexer } = createGoldenIndexer(demand);
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  const { owner } = obligation.view(account);
  await advanceSlotsWhile(source, indexer.loadWallet(owner));
  const asked = indexer.loadWallet(owner);
  source.accountsNow.set(address, withValueAt(account, tag, 77n));
  source.gap();
  await advanceSlotsWhile(source, asked);
  expect(state.obligation(address)?.fields.tag).toBe(77n);
  indexer.stop();
});

test('a wallet that cannot be read is asked for once, and is not kept', async () => {
  const { source, indexer } = createGoldenIndexer(demand);
  await advanceSlotsWhile(source, indexer.start());
  const [, account] = findAccount(source, obligation);
  let scans = 0;
  source.failing = (request) => {
    if (request !== 'scan') return;
    scans++;
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'down' });
  };
  const asked = indexer.loadWallet(obligation.view(account).owner);
  await expect(asked).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  expect(scans).toBeLessThanOrEqual(4);
  expect(indexer.status().wallets).toBe(0);
  indexer.stop();
});

test('a wallet that was read a while ago is read again, so that a closed loan goes', async () => {
  const { source, state, indexer } = createGoldenIndexer({ ...demand, timing: { freshMs: 0 } });
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  const { owner } = obligation.view(account);
  await advanceSlotsWhile(source, indexer.loadWallet(owner));
  source.step([[address, undefined]]);
  await advanceSlotsWhile(source, indexer.loadWallet(owner));
  expect(state.obligation(address)).toBeUndefined();
  indexer.stop();
});
