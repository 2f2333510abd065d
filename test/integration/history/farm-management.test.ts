import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { bytesFromHex } from '#core/base/encoding/bytes.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { farmEventKinds } from '#server/history/event-kinds.ts';
import { farmManagementEventsMigration } from '#server/history/migrations/0005-farm-management-events.ts';
import type { EventInput } from '#server/history/schema/event-tables.ts';
import { farmWith } from '../../support/farms/farm-accounts.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { farmEvent, MIDNIGHT, uniqueAddress } from '../../support/history/history-rows.ts';
import { wholeToSf } from '../../support/history/vault-history-rows.ts';

const FARM = uniqueAddress();
const ADMIN = uniqueAddress();
const REWARD = uniqueAddress();
const STAKED = uniqueAddress();
const USER_STATE = uniqueAddress();

/** A farm of a token with 9 decimals, whose reward 1 has 6 decimals. */
function readerWithFarm() {
  const empty = farmWith({});
  const token = { ...empty.token, mint: STAKED, decimals: 9n };
  const rewardInfos = empty.rewardInfos.map((info, i) =>
    i === 1 ? { ...info, token: { ...info.token, mint: REWARD, decimals: 6n } } : info,
  );
  const farm = farmWith({ token, rewardInfos, numRewardTokens: 2n });
  return goldenReader(
    goldenWithAccounts([[FARM, { owner: FARMS_PROGRAM, data: farmState.encode(farm) }]]),
  );
}

const managed = (
  number: number,
  kind: (typeof farmEventKinds)[number],
  changes: Partial<EventInput<'farmEvent'>> = {},
) =>
  farmEvent(
    { number, at: MIDNIGHT + BigInt(number), slot: BigInt(number) },
    {
      kind: farmEventKinds.indexOf(kind),
      wallet: null,
      userState: null,
      farm: FARM,
      managedFarm: FARM,
      signer: ADMIN,
      amount: null,
      ...changes,
    },
  );

/** 16 bytes: the index 1 and the rate 9. */
const RATE_OF_REWARD_1 = bytesFromHex(`10000000${'01'.padEnd(16, '0')}${'09'.padEnd(16, '0')}`);

const farmEvents = [
  managed(1, 'initializeFarmDelegated', { account: USER_STATE }),
  managed(2, 'addRewards', {
    mint: REWARD,
    amount: 2_500_000n,
    rewardIndex: 1,
    priceSf: wholeToSf(4n),
  }),
  managed(3, 'updateFarmConfig', { configMode: 0, configData: RATE_OF_REWARD_1 }),
  managed(4, 'rewardUserOnce', { account: USER_STATE, amount: 1_000_000n, rewardIndex: 1 }),
  managed(5, 'depositToFarmVault', { mint: STAKED, amount: 3_000_000_000n }),
  managed(6, 'updateFarmConfig', { configMode: 99, configData: Uint8Array.of() }),
];

const none = {
  tokenAmount: null,
  usdAmount: null,
  token: null,
  rewardIndex: null,
  configMode: null,
};

const expected = [
  { ...none, instruction: 'initializeFarmDelegated', details: { farmDelegate: USER_STATE } },
  {
    ...none,
    instruction: 'addRewards',
    tokenAmount: '2.5',
    usdAmount: '10',
    token: REWARD,
    rewardIndex: 1,
    details: null,
  },
  {
    ...none,
    instruction: 'updateFarmConfig',
    configMode: 'UpdateRewardRps',
    details: { mode: 0, data: 'EAAAAAEAAAAAAAAACQAAAAAAAAA=', value: '9' },
  },
  {
    ...none,
    instruction: 'rewardUserOnce',
    tokenAmount: '1',
    token: REWARD,
    rewardIndex: 1,
    details: { userState: USER_STATE },
  },
  { ...none, instruction: 'depositToFarmVault', tokenAmount: '3', token: STAKED, details: null },
  { ...none, instruction: 'updateFarmConfig', details: { mode: 99, data: '' } },
].map((row, i) => ({
  ...row,
  createdOn: new Date(Number(MIDNIGHT + BigInt(i + 1)) * 1000).toISOString(),
  transactionSignature: encodeBase58(farmEvents[i]?.signature ?? new Uint8Array()),
  farm: FARM,
  signer: ADMIN,
}));

type Page = { readonly result: unknown[]; readonly paginationToken?: string };

const PATH = `/farms/${FARM}/management-history`;

async function start() {
  const api = await startHistoryApi({ reader: readerWithFarm() });
  const stake = farmEvent(
    { number: 7, at: MIDNIGHT + 7n, slot: 7n },
    { farm: FARM, kind: 0, mint: STAKED, amount: 10n ** 9n },
  );
  await api.writer.append({ farmEvents: [...farmEvents, stake] });
  return { ...api, pageOf: async (path: string) => (await api.get(path)).body as Page };
}

test('instructions of administrators are listed newest first, in pages', async () => {
  const { pageOf, get } = await start();
  expect(await pageOf(PATH)).toEqual({ result: expected.toReversed() });
  const first = await pageOf(`${PATH}?sort=asc&limit=4`);
  expect(first.result).toEqual(expected.slice(0, 4));
  const rest = await pageOf(`${PATH}?sort=asc&limit=4&paginationToken=${first.paginationToken}`);
  expect(rest).toEqual({ result: expected.slice(4) });
  expect(await pageOf(`/farms/${uniqueAddress()}/management-history`)).toEqual({ result: [] });
  for (const query of ['limit=0', 'limit=1001', 'sort=x', 'paginationToken=x']) {
    expect((await get(`${PATH}?${query}`)).status, query).toBe(400);
  }
});

test('they are not among the transactions of users', async () => {
  const { pageOf } = await start();
  const { result } = await pageOf(`/farms/${FARM}/transactions`);
  expect(result).toMatchObject([{ instruction: 'stake' }]);
  expect(await pageOf(`/farms/users/${ADMIN}/transactions`)).toEqual({ result: [] });
});

test('the time before they were recorded is a gap', async () => {
  const { get, history, writer } = await start();
  const { slot, at } = managed(3, 'addRewards');
  await writer.append({ checkpoint: { name: 'events', direction: 'newer', slot, at } });
  const mark = farmManagementEventsMigration.statements({ hasTimescale: false }).at(-1) ?? '';
  await sql.raw(mark).execute(history.db);
  const now = goldenCluster().at;
  await writer.append({
    checkpoint: { name: 'events', direction: 'newer', slot: now.slot, at: now.unix },
  });
  const { body, headers } = await get(PATH);
  expect(body).toEqual({ result: expected.slice(3).toReversed() });
  const end = new Date(Number(MIDNIGHT + 3n) * 1000).toISOString();
  expect(headers.get('x-gaps')).toBe(`1970-01-01T00:00:00.000Z/${end}`);
});
