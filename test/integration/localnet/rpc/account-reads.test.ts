import { decompress } from 'fzstd';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  type AccountJson,
  golden,
  goldenObligation,
  goldenTokenAccount,
  type RpcContextResponse,
  UNKNOWN_ADDRESS,
} from '../../../support/golden/golden-accounts.ts';
import { startGoldenLocalnet } from '../../../support/localnet/golden-localnet.ts';
import { referenceEncode } from '../../../support/reference/reference-base58.ts';

test.each(['base64', 'base64+zstd'] as const)('an account in %s has its data', async (encoding) => {
  const { result } = await startGoldenLocalnet();
  const answer = (await result('getAccountInfo', [
    goldenObligation.address,
    { encoding },
  ])) as RpcContextResponse;
  const value = answer.value as AccountJson;
  const [text, name] = value.data;
  expect(name).toBe(encoding);
  const sent = Uint8Array.from(Buffer.from(text, 'base64'));
  const data = encoding === 'base64' ? sent : decompress(sent);
  expect(Buffer.compare(data, goldenObligation.account.data)).toBe(0);
  const { data: _data, ...fields } = value;
  expect(fields).toEqual({
    owner: KLEND_PROGRAM,
    lamports: Number(goldenObligation.account.lamports),
    space: goldenObligation.account.data.length,
    executable: false,
    rentEpoch: 2 ** 64,
  });
  expect(answer.context.slot).toBe(Number(golden.at.slot) - 32);
});

test('64-bit numbers are written exactly', async () => {
  const { post } = await startGoldenLocalnet();
  const params = [goldenObligation.address, { encoding: 'base64' }];
  const answer = await post(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params }),
  );
  expect(await answer.text()).toContain('"rentEpoch":18446744073709551615,');
});

test('base58 is limited to 128 bytes, and the oldest form is a plain string', async () => {
  const { result, rpc } = await startGoldenLocalnet();
  const dataSlice = { offset: 8, length: 128 };
  const slice = goldenObligation.account.data.subarray(8, 136);
  const named = { encoding: 'base58', dataSlice };
  const answer = (await result('getAccountInfo', [
    goldenObligation.address,
    named,
  ])) as RpcContextResponse;
  expect((answer.value as AccountJson).data).toEqual([referenceEncode(slice), 'base58']);
  const bare = (await result('getAccountInfo', [
    goldenObligation.address,
    { dataSlice },
  ])) as RpcContextResponse;
  expect((bare.value as { data: unknown }).data).toBe(referenceEncode(slice));
  const { error } = await rpc('getAccountInfo', [goldenObligation.address]);
  expect(error).toEqual({
    code: -32600,
    message:
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
  });
});

test('a slice beyond the end is truncated', async () => {
  const { result } = await startGoldenLocalnet();
  const size = goldenObligation.account.data.length;
  const data = async (offset: number, length: number) => {
    const config = { encoding: 'base64', dataSlice: { offset, length } };
    const answer = (await result('getAccountInfo', [
      goldenObligation.address,
      config,
    ])) as RpcContextResponse;
    return Buffer.from((answer.value as AccountJson).data[0], 'base64').length;
  };
  expect(await data(size - 3, 10)).toBe(3);
  expect(await data(size + 3, 10)).toBe(0);
  expect(await data(0, 0)).toBe(0);
});

test('several accounts are returned in request order, null if missing', async () => {
  const { result } = await startGoldenLocalnet();
  const addresses = [goldenTokenAccount.address, UNKNOWN_ADDRESS, goldenObligation.address];
  const { value } = (await result('getMultipleAccounts', [addresses])) as RpcContextResponse;
  const owners = (value as (AccountJson | null)[]).map((account) => account?.owner);
  expect(owners).toEqual([TOKEN_PROGRAM, undefined, KLEND_PROGRAM]);
});

test('a scan returns exactly the accounts that pass the filters', async () => {
  const { result } = await startGoldenLocalnet();
  const { offsets, size } = obligation;
  const ownerBytes = goldenObligation.account.data.subarray(offsets.owner, offsets.owner + 32);
  const expected = [...golden.accounts]
    .filter(([, { owner, data }]) => owner === KLEND_PROGRAM && data.length === size)
    .filter(
      ([, { data }]) =>
        !Buffer.compare(data.subarray(offsets.owner, offsets.owner + 32), ownerBytes),
    )
    .map(([address]) => address);
  expect(expected.length).toBeGreaterThan(0);
  for (const memcmp of [
    { offset: offsets.owner, bytes: referenceEncode(ownerBytes) },
    {
      offset: offsets.owner,
      bytes: Buffer.from(ownerBytes).toString('base64'),
      encoding: 'base64',
    },
    { offset: offsets.owner, bytes: [...ownerBytes] },
  ]) {
    const config = { encoding: 'base64', filters: [{ dataSize: size }, { memcmp }] };
    const found = (await result('getProgramAccounts', [KLEND_PROGRAM, config])) as {
      pubkey: Address;
      account: AccountJson;
    }[];
    expect(found.map(({ pubkey }) => pubkey).sort()).toEqual(expected.sort());
  }
});

test('a scan returns all accounts of the program, sliced, with the slot if requested', async () => {
  const { result } = await startGoldenLocalnet();
  const config = { encoding: 'base64', dataSlice: { offset: 0, length: 8 }, withContext: true };
  const answer = (await result('getProgramAccounts', [
    KLEND_PROGRAM,
    config,
  ])) as RpcContextResponse;
  const count = [...golden.accounts.values()].filter(({ owner }) => owner === KLEND_PROGRAM).length;
  const found = answer.value as { account: AccountJson }[];
  expect(found).toHaveLength(count);
  expect(found.every(({ account }) => Buffer.from(account.data[0], 'base64').length === 8)).toBe(
    true,
  );
  expect(answer.context.slot).toBe(Number(golden.at.slot) - 32);
});

test('each commitment has its own slot', async () => {
  const { localnet, result, advanceSlots } = await startGoldenLocalnet();
  const account = { owner: UNKNOWN_ADDRESS, lamports: 7n, data: new Uint8Array(1) };
  const landed = localnet.setAccount(UNKNOWN_ADDRESS, account);
  advanceSlots(1);
  const slot = Number(await landed);
  const sees = async (commitment: string) =>
    ((await result('getBalance', [UNKNOWN_ADDRESS, { commitment }])) as RpcContextResponse).value;
  expect(await sees('processed')).toBe(7);
  expect(await sees('confirmed')).toBe(0);
  advanceSlots(1);
  expect(await sees('confirmed')).toBe(7);
  advanceSlots(30);
  expect(await sees('finalized')).toBe(0);
  advanceSlots(1);
  expect(await sees('finalized')).toBe(7);
  expect(await result('getSlot', [{ commitment: 'finalized' }])).toBe(slot);
  expect(await result('getSlot', [{ commitment: 'confirmed' }])).toBe(slot + 31);
  expect(await result('getSlot', [{ commitment: 'processed' }])).toBe(slot + 32);
  expect(await result('getSlot')).toBe(slot);
});

test('a minimum slot that is not reached fails with the current slot', async () => {
  const { rpc, result } = await startGoldenLocalnet();
  const newest = Number(golden.at.slot);
  const reached = { commitment: 'processed', minContextSlot: newest };
  expect(await result('getSlot', [reached])).toBe(newest);
  const ahead = { commitment: 'processed', minContextSlot: newest + 1 };
  expect((await rpc('getAccountInfo', [goldenObligation.address, ahead])).error).toEqual({
    code: -32016,
    message: 'Minimum context slot has not been reached',
    data: { contextSlot: newest },
  });
});
