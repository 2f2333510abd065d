import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  findGoldenAccount,
  golden,
  goldenObligation,
  goldenTokenAccount,
  type RpcContextResponse,
} from '../../../support/golden/golden-accounts.ts';
import { startGoldenLocalnet } from '../../../support/localnet/golden-localnet.ts';
import { referenceDecode, referenceEncode } from '../../../support/reference/reference-base58.ts';

test('a token balance is formatted with the decimals of its mint', async () => {
  const { result } = await startGoldenLocalnet();
  const fields = tokenAccount.decode(goldenTokenAccount.account);
  const mintAccount = golden.accounts.get(fields.mint);
  const decimals = mintAccount?.data[44] ?? -1;
  const { value } = (await result('getTokenAccountBalance', [
    goldenTokenAccount.address,
  ])) as RpcContextResponse;
  expect(value).toMatchObject({ amount: fields.amount.toString(), decimals });
  expect((value as { uiAmount: number }).uiAmount).toBeCloseTo(
    Number(fields.amount) / 10 ** decimals,
    6,
  );
  const supply = mintAccount && mint.decode(mintAccount).supply;
  const answer = (await result('getTokenSupply', [fields.mint])) as RpcContextResponse;
  expect(answer.value).toMatchObject({ amount: `${supply}`, decimals });
});

test('the largest accounts of a mint are listed by amount, at most twenty', async () => {
  const { result } = await startGoldenLocalnet();
  const { mint: of } = tokenAccount.decode(goldenTokenAccount.account);
  const amounts = [...golden.accounts.values()]
    .filter(({ data, owner }) => owner === TOKEN_PROGRAM && data.length === 165)
    .filter(({ data }) => referenceEncode(data.subarray(0, 32)) === of)
    .map(({ data }) => Buffer.from(data).readBigUInt64LE(64))
    .sort((a, b) => (a < b ? 1 : -1));
  const { value } = (await result('getTokenLargestAccounts', [of])) as RpcContextResponse;
  const found = (value as { amount: string }[]).map(({ amount }) => BigInt(amount));
  expect(found).toEqual(amounts.slice(0, 20));
});

test('token accounts of a wallet are found by mint and by program', async () => {
  const { result } = await startGoldenLocalnet();
  const { owner, mint: of } = tokenAccount.decode(goldenTokenAccount.account);
  const wallet = [...golden.accounts].filter(
    ([, account]) =>
      account.owner === TOKEN_PROGRAM &&
      account.data.length === 165 &&
      !Buffer.compare(account.data.subarray(32, 64), referenceDecode(owner)),
  );
  const keys = async (filter: unknown) => {
    const config = { encoding: 'base64' };
    const answer = await result('getTokenAccountsByOwner', [owner, filter, config]);
    return ((answer as RpcContextResponse).value as { pubkey: Address }[])
      .map(({ pubkey }) => pubkey)
      .sort();
  };
  expect(await keys({ programId: TOKEN_PROGRAM })).toEqual(wallet.map(([key]) => key).sort());
  expect(await keys({ mint: of })).toContain(goldenTokenAccount.address);
  expect(await keys({ programId: TOKEN_2022_PROGRAM })).not.toContain(goldenTokenAccount.address);
});

test('token accounts and mints are parsed, unknown accounts are base64', async () => {
  const { result } = await startGoldenLocalnet();
  const config = { encoding: 'jsonParsed' };
  const data = async (address: Address) =>
    (
      ((await result('getAccountInfo', [address, config])) as RpcContextResponse).value as {
        data: unknown;
      }
    ).data;
  const { owner, mint: of, amount } = tokenAccount.decode(goldenTokenAccount.account);
  expect(await data(goldenTokenAccount.address)).toMatchObject({
    program: 'spl-token',
    parsed: {
      type: 'account',
      info: { owner, mint: of, state: 'initialized', tokenAmount: { amount: `${amount}` } },
    },
    space: 165,
  });
  expect(await data(of)).toMatchObject({ program: 'spl-token', parsed: { type: 'mint' } });
  expect(await data(goldenObligation.address)).toEqual([
    Buffer.from(goldenObligation.account.data).toString('base64'),
    'base64',
  ]);
  const extended = findGoldenAccount(
    (account) => account.owner === TOKEN_2022_PROGRAM && mint.matches(account),
  );
  expect(await data(extended.address)).toMatchObject({
    program: 'spl-token-2022',
    parsed: { type: 'mint', info: { extensions: expect.any(Array) } },
  });
});
