import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { CodedError } from '#server/errors.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenTokenAddress, goldenUser } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';
import { exampleTokenAccount } from '../../support/localnet/example-token.ts';

const ERIN = goldenUser('erin').address;
const SOL_MINT = 'So11111111111111111111111111111111111111112';
const PYUSD_MINT = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo';
/** Rent of 1032, 3344, 920 and 165 bytes, of an account without data, and 0.001 SOL. */
const RESERVED = '0.04346296';

type Balances = {
  sol: { amount: string; reserved: string; usable: string };
  tokens: {
    mint: string;
    symbol: string;
    decimals: number;
    tokenAccount: string;
    amount: string;
  }[];
};

/** The amount of a recorded token account, by its place in the bytes. */
function recordedAmount(address: Address): bigint {
  const account = goldenCluster().accounts.get(address);
  if (account === undefined) throw new Error('no account');
  return new DataView(account.data.slice().buffer).getBigUint64(64, true);
}

const toBase = (amount: string, decimals: number): bigint => {
  const [whole = '', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(decimals, '0'));
};

async function readBalances(wallet: string, query = ''): Promise<Balances> {
  const { get } = await goldenApi();
  const { status, body } = await get(`/portfolio/${wallet}/balances${query}`);
  expect(status).toBe(200);
  return body as Balances;
}

test('getWalletBalances has the recorded balances of both token programs, exactly', async () => {
  const { tokens } = await readBalances(ERIN);
  for (const [symbol, mint] of [
    ['SOL', SOL_MINT],
    ['PYUSD', PYUSD_MINT],
  ] as const) {
    const found = tokens.find((each) => each.mint === mint);
    const account = goldenTokenAddress('erin', symbol);
    expect(found).toMatchObject({ symbol, tokenAccount: account });
    expect(toBase(found?.amount ?? '', found?.decimals ?? 0)).toBe(recordedAmount(account));
  }
  expect(new Set(tokens.map(({ mint }) => mint)).size).toBe(tokens.length);
});

test('getWalletBalances has zeros for a wallet without accounts', async () => {
  const { sol, tokens } = await readBalances('GQTt7RfzXGxCRNsVYVRfGCBDgpR8xMRtsM7PAbWiZ1g6');
  expect(sol).toEqual({ amount: '0', reserved: RESERVED, usable: '0' });
  expect(tokens.length).toBeGreaterThan(2);
  expect(new Set(tokens.map(({ amount }) => amount))).toEqual(new Set(['0']));
});

test('`mints` selects tokens, and an unknown one is absent', async () => {
  const { tokens } = await readBalances(ERIN, `?mints=${PYUSD_MINT},${ERIN}`);
  expect(tokens.map(({ mint }) => mint)).toEqual([PYUSD_MINT]);
  const { get } = await goldenApi();
  expect((await get(`/portfolio/${ERIN}/balances?mints=nobody`)).status).toBe(400);
});

const serve = (entries: readonly (readonly [Address, object])[]) =>
  startApi({
    clusters: goldenClusters({
      readAccounts: async (addresses: readonly Address[]) => {
        const known = new Map<Address, object>(entries);
        const accounts = new Map(addresses.map((each) => [each, known.get(each)]));
        return { slot: toSlot(0n), accounts: accounts as never };
      },
    }),
  });

test('an account that was given to another wallet has nothing to pay with', async () => {
  const wallet = toAddress('GQTt7RfzXGxCRNsVYVRfGCBDgpR8xMRtsM7PAbWiZ1g6');
  const mint = toAddress(SOL_MINT);
  const token = { mint, tokenProgram: TOKEN_PROGRAM, amount: 7_000_000_000n };
  const address = associatedTokenAddress(wallet, mint, TOKEN_PROGRAM);
  for (const [owner, amount] of [
    [wallet, '7'],
    [ERIN, '0'],
  ] as const) {
    const { get } = await serve([[address, exampleTokenAccount({ ...token, owner })]]);
    const { tokens } = (await get(`/portfolio/${wallet}/balances?mints=${mint}`)).body as Balances;
    expect(tokens.map((each) => each.amount)).toEqual([amount]);
  }
});

test('SOL of a program account, and less than what is reserved, cannot be used', async () => {
  const data = new Uint8Array();
  for (const [owner, lamports, usable] of [
    [SYSTEM_PROGRAM, 2_043_462_960n, '2'],
    [SYSTEM_PROGRAM, 43_462_960n, '0'],
    [SYSTEM_PROGRAM, 43_462_961n, '0.000000001'],
    [TOKEN_PROGRAM, 9_000_000_000n, '0'],
  ] as const) {
    const { get } = await serve([[ERIN, { owner, data, lamports }]]);
    const { sol } = (await get(`/portfolio/${ERIN}/balances?mints=${SOL_MINT}`)).body as Balances;
    expect(sol.usable, `${owner} ${lamports}`).toBe(usable);
  }
});

test('getWalletBalances fails if the endpoint fails: nothing is not zero', async () => {
  const readAccounts = async () => {
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'test', reason: 'it is down' });
  };
  const { get } = await startApi({ clusters: goldenClusters({ readAccounts }) });
  expect((await get(`/portfolio/${ERIN}/balances`)).status).toBe(503);
});
