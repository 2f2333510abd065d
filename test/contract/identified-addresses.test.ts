import { describe, expect, test } from 'vitest';
import { bytesToText } from '#core/base/encoding/bytes.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  goldenLoan,
  goldenMarket,
  goldenReserve,
  goldenUser,
  goldenVault,
} from '../support/golden/golden-addresses.ts';
import { goldenReader } from '../support/golden/golden-reader.ts';
import { goldenApi } from '../support/http/test-api.ts';

const main = goldenMarket('Main Market').address;
const jlp = goldenMarket('JLP Market').address;
const sol = goldenReserve('Main Market', 'SOL');
const vault = goldenVault('Steady USDC');
const reader = goldenReader();

async function rolesOf(address: string): Promise<readonly Record<string, unknown>[]> {
  const { get } = await goldenApi();
  const { status, body } = await get(`/addresses/${address}`);
  expect(status).toBe(200);
  const identity = body as { readonly address: string; readonly roles: never };
  expect(identity.address).toBe(address);
  return identity.roles;
}

/** An account of the golden cluster that its file does not name. */
function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The golden cluster has no such account.');
  return value;
}

const solFields = present(reader.reserve(sol.address)).fields;
const frank = goldenUser('frank');

describe('an address is what it is on the cluster', () => {
  test('markets, reserves and vaults have their names', async () => {
    expect(await rolesOf(main)).toEqual([{ role: 'market', name: 'Main Market' }]);
    expect(await rolesOf(sol.address)).toEqual([
      { role: 'reserve', name: 'SOL', market: main, mint: solFields.liquidity.mintPubkey },
    ]);
    const mint = present(reader.vault(vault.address)).fields.tokenMint;
    expect(await rolesOf(vault.address)).toEqual([
      { role: 'vault', name: 'Steady USDC', mint, farm: vault.farm },
    ]);
  });

  test('a loan has its owner and market', async () => {
    expect(await rolesOf(goldenLoan('frank'))).toEqual([
      { role: 'loan', name: '', market: main, owner: frank.address },
    ]);
  });

  test('a wallet has its positions', async () => {
    expect(await rolesOf(frank.address)).toEqual([
      expect.objectContaining({ role: 'wallet', loans: frank.obligations.length }),
    ]);
  });

  test('a token names every reserve of it, a share token its vault, a cToken its reserve', async () => {
    const usdc = present(reader.vault(vault.address)).fields.tokenMint;
    const [token, ...others] = await rolesOf(usdc);
    expect(others).toEqual([]);
    const reserves = [main, jlp].map((market) =>
      present(reader.reservesOf(market).find((each) => each.fields.liquidity.mintPubkey === usdc)),
    );
    expect(token).toMatchObject({
      role: 'token',
      name: 'USDC',
      mint: usdc,
      reserves: reserves.map(({ address }) => address),
      vaults: [vault.address],
    });
    expect(await rolesOf(vault.sharesMint)).toEqual([
      { role: 'shareMint', name: 'Steady USDC', vault: vault.address },
    ]);
    const collateral = solFields.collateral.mintPubkey;
    expect(await rolesOf(collateral)).toEqual([
      { role: 'collateralMint', name: 'SOL', reserve: sol.address, market: main },
    ]);
  });

  test('a farm and the accounts that hold tokens name what they are of', async () => {
    expect(await rolesOf(vault.farm)).toEqual([
      { role: 'farm', name: 'Steady USDC', vault: vault.address },
    ]);
    expect(await rolesOf(sol.liquiditySupply)).toEqual([
      { role: 'tokenAccount', name: 'SOL', reserve: sol.address, market: main },
    ]);
    expect(await rolesOf(vault.tokenVault)).toEqual([
      { role: 'tokenAccount', name: 'Steady USDC', vault: vault.address },
    ]);
  });

  test('a stake has its farm, its owner and what is staked', async () => {
    const [stake] = reader.farmUsersOf(frank.address);
    const { address, fields } = present(stake);
    const { farmState: farm } = fields;
    const reserves = reader.reservesOf(main);
    const reserve = present(
      reserves.find(({ fields: { farmCollateral, farmDebt } }) =>
        [farmCollateral, farmDebt].includes(farm),
      ),
    );
    expect(await rolesOf(address)).toEqual([
      {
        role: 'stake',
        name: bytesToText(reserve.fields.config.tokenInfo.name),
        owner: frank.address,
        farm,
        reserve: reserve.address,
        market: main,
      },
    ]);
  });

  test('programs, lookup tables and prices', async () => {
    const program = present(reader.market(main)).program;
    expect(await rolesOf(program)).toEqual([{ role: 'program', name: 'klend' }]);
    expect(await rolesOf(vault.lut)).toEqual([{ role: 'lookupTable', name: '' }]);
    expect(await rolesOf(sol.scopeFeed)).toEqual([{ role: 'prices', name: '' }]);
  });

  test('an address that the cluster state does not have has no role', async () => {
    const unknown = associatedTokenAddress(frank.address, main, TOKEN_PROGRAM);
    expect(await rolesOf(unknown)).toEqual([]);
  });

  test('a text that is no address is a 400', async () => {
    const { get } = await goldenApi();
    expect((await get('/addresses/SOL')).status).toBe(400);
  });
});
