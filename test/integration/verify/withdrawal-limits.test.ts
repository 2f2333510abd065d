import { expect, test } from 'vitest';
import {
  type ChainData,
  readChainData,
  readLookupTables,
  type VerifiableRequest,
  type VerificationResult,
  verifyTransaction,
} from '#client/verify/index.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { jsonPoster } from '../../support/http/post-json.ts';

async function start() {
  const { api, metadata, rpcUrl } = await startGenesisApi('tidegate');
  const post = jsonPoster(api);
  const build = async (path: string, body: object): Promise<string> => {
    const { status, body: built } = await post(`/ktx/${path}`, body);
    expect(status, JSON.stringify(built)).toBe(200);
    return (built as { transaction: string }).transaction;
  };
  const verify = async (
    request: VerifiableRequest,
    transaction: string,
    change: (chainData: ChainData) => ChainData = (each) => each,
  ): Promise<VerificationResult> => {
    const lookupTables = await readLookupTables(rpcUrl, transaction);
    const chainData = change(await readChainData(rpcUrl, request));
    return verifyTransaction({ request, transaction, lookupTables, chainData });
  };
  return { demo: metadata.demo, build, verify };
}

const expectReasons = ({ verdict, reasons }: VerificationResult, ...codes: readonly string[]) =>
  expect({ verdict, codes: reasons.map(({ code }) => code) }).toEqual({
    verdict: codes.length === 0 ? 'accepted' : 'rejected',
    codes,
  });

test('an exit that repays nothing is not an exit', async () => {
  const { demo, build, verify } = await start();
  const { wallet, market, deposit } = demo;
  const body = { wallet, market, reserve: deposit.reserve, amount: 'U64::MAX' };
  const transaction = await build('klend/withdraw', body);
  const exit: VerifiableRequest = { operation: 'lend-exit', wallet, market };
  expectReasons(await verify(exit, transaction), 'UNREPAID_DEBT');
  expectReasons(await verify({ ...exit, maxLtv: '2' }, transaction));
  expectReasons(await verify({ ...exit, maxLtv: '1' }, transaction), 'LTV_TOO_HIGH');
  const unknown = await verify(exit, transaction, ({ loan: _, ...rest }) => rest);
  expectReasons(unknown, 'MISSING_CHAIN_DATA');
});

test('a withdrawal with debts needs a limit for the loan-to-value ratio', async () => {
  const { demo, build, verify } = await start();
  const { wallet, market, withdraw } = demo;
  const transaction = await build('klend/withdraw', { wallet, market, ...withdraw });
  const request: VerifiableRequest = { operation: 'lend-withdraw', wallet, market, ...withdraw };
  expectReasons(await verify(request, transaction), 'UNREPAID_DEBT');
  expectReasons(await verify({ ...request, maxLtv: '0.9' }, transaction));
  expectReasons(await verify({ ...request, maxLtv: '0.05' }, transaction), 'LTV_TOO_HIGH');
  const without = (part: object) => (chainData: ChainData) => ({ ...chainData, ...part });
  expectReasons(await verify(request, transaction, without({ loan: null })), 'WRONG_ACCOUNT');
  const free = await verify(request, transaction, (chainData) => {
    const { loan } = chainData;
    return loan == null ? chainData : { ...chainData, loan: { ...loan, borrows: [] } };
  });
  expectReasons(free, 'WRONG_ACCOUNT');
  const limited: VerifiableRequest = { ...request, maxLtv: '0.9' };
  const worse = (field: 'borrowFactorPct' | 'cumulativeBorrowRateSf') =>
    verify(limited, transaction, (chainData) => {
      const { reserves = {} } = chainData;
      const changed = Object.entries(reserves).map(([address, data]) => [
        address,
        { ...data, [field]: (BigInt(data[field]) * 10n).toString() },
      ]);
      return { ...chainData, reserves: Object.fromEntries(changed) };
    });
  expectReasons(await worse('borrowFactorPct'), 'LTV_TOO_HIGH');
  expectReasons(await worse('cumulativeBorrowRateSf'), 'LTV_TOO_HIGH');
});

test('a withdrawal of tokens redeems shares that are worth them, after the penalty of the vault', async () => {
  const { demo, build, verify } = await start();
  const { wallet, vault: kvault } = demo;
  const request: VerifiableRequest = {
    ...{ operation: 'vault-withdraw', wallet, kvault, amount: '5', unit: 'tokens' },
    maxShares: '6',
  };
  const body = { wallet, kvault, amount: '5', unit: 'tokens' };
  const transaction = await build('kvault/withdraw', body);
  expectReasons(await verify(request, transaction));
  for (const amount of ['0.000001', '1', '4']) {
    const few = await build('kvault/withdraw', { wallet, kvault, amount });
    expectReasons(await verify(request, few), 'WRONG_AMOUNT');
  }
  const withPenalty = (penalty: object) =>
    verify(request, transaction, (chainData) => {
      const { vault } = chainData;
      if (vault === undefined) throw new Error('no vault');
      return { ...chainData, vault: { ...vault, ...penalty } };
    });
  expectReasons(await withPenalty({ withdrawalPenaltyBps: '500' }), 'WRONG_AMOUNT');
  expectReasons(await withPenalty({ withdrawalPenaltyUnits: '1000000' }), 'WRONG_AMOUNT');
  const { reasons } = await verify({ ...request, decimals: 6 }, transaction, () => ({}));
  expect(reasons.map(({ code }) => code)).toContain('MISSING_CHAIN_DATA');
});

test('everything, or a part of it, is at least the stated shares', async () => {
  const { demo, build, verify } = await start();
  const { wallet, vault: kvault } = demo;
  const request: VerifiableRequest = {
    ...{ operation: 'vault-withdraw', wallet, kvault, amount: 'U64::MAX', mayBePartial: true },
    minShares: '1',
  };
  const all = await build('kvault/withdraw', { wallet, kvault, amount: 'U64::MAX' });
  expectReasons(await verify(request, all));
  const few = await build('kvault/withdraw', { wallet, kvault, amount: '0.5' });
  expect((await verify(request, few)).reasons.map(({ code }) => code)).toContain('WRONG_AMOUNT');
});
