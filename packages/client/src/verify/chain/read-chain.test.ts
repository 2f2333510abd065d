import { expect, test } from 'vitest';
import { goldenCluster } from '../../../../../test/support/golden/golden.ts';
import { goldenBuilds } from '../../../../../test/support/verify/golden-builds.ts';
import { accountFetch, wireOf } from '../../../../../test/support/verify/verified-build.ts';
import { farmState } from '../../../../core/src/protocol/farms/layout/farm-state.ts';
import { obligation } from '../../../../core/src/protocol/klend/layout/obligation.ts';
import { reserve } from '../../../../core/src/protocol/klend/layout/reserve.ts';
import { totalSupply } from '../../../../core/src/protocol/klend/math/supply.ts';
import { vaultState } from '../../../../core/src/protocol/kvault/layout/vault-state.ts';
import { crankFunds } from '../../../../core/src/protocol/kvault/operations/deposit-to-vault.ts';
import { addressLookupTable } from '../../../../core/src/protocol/spl/layout/address-lookup-table.ts';
import { decodeFarm, decodeLoan, decodeReserve, decodeVault } from './decode-accounts.ts';
import { readLookupTables } from './read-lookup-tables.ts';

const { accounts } = goldenCluster();
const NONE = ['11111111111111111111111111111111', 'nu11111111111111111111111111111111111111111'];
const orNull = (address: string): string | null => (NONE.includes(address) ? null : address);

/** Decoded by the layouts of core, which are tested against the programs. */
test('the accounts of the golden cluster are decoded like the layouts', () => {
  const found = { reserves: 0, vaults: 0, loans: 0, farms: 0 };
  for (const account of accounts.values()) {
    if (reserve.matches(account)) {
      found.reserves += 1;
      const { liquidity, collateral, config, farmCollateral, farmDebt, lendingMarket } =
        reserve.decode(account);
      expect(decodeReserve(account)).toMatchObject({
        program: account.owner,
        market: lendingMarket,
        priceSf: liquidity.marketPriceSf.toString(),
        borrowFactorPct: config.borrowFactorPct.toString(),
        originationFeeSf: config.fees.originationFeeSf.toString(),
        cumulativeBorrowRateSf: liquidity.cumulativeBorrowRateBsf.value.toString(),
        mint: liquidity.mintPubkey,
        tokenProgram: liquidity.tokenProgram,
        decimals: Number(liquidity.mintDecimals),
        supplyVault: liquidity.supplyVault,
        feeVault: liquidity.feeVault,
        collateralMint: collateral.mintPubkey,
        collateralVault: collateral.supplyVault,
        farmCollateral: orNull(farmCollateral),
        farmDebt: orNull(farmDebt),
        collateralSupply: collateral.mintTotalSupply.toString(),
        liquiditySupplySf: totalSupply(liquidity).toString(),
      });
    } else if (vaultState.matches(account)) {
      found.vaults += 1;
      const vault = vaultState.decode(account);
      expect(decodeVault(account)).toEqual({
        program: account.owner,
        authority: vault.baseVaultAuthority,
        tokenMint: vault.tokenMint,
        tokenDecimals: Number(vault.tokenMintDecimals),
        tokenVault: vault.tokenVault,
        tokenProgram: vault.tokenProgram,
        sharesMint: vault.sharesMint,
        sharesDecimals: Number(vault.sharesMintDecimals),
        farm: orNull(vault.vaultFarm),
        permissioningAuthority: orNull(vault.permissioningAuthority),
        sharesIssued: vault.sharesIssued.toString(),
        tokenAvailable: vault.tokenAvailable.toString(),
        pendingFeesSf: vault.pendingFeesSf.toString(),
        depositCap: vault.depositCap.toString(),
        crankFee: crankFunds(vault).toString(),
        withdrawalPenaltyUnits: vault.withdrawalPenaltyLamports.toString(),
        withdrawalPenaltyBps: vault.withdrawalPenaltyBps.toString(),
        allocations: vault.vaultAllocationStrategy
          .map(({ reserve: address, ctokenVault, ctokenAllocation }) => ({
            reserve: address,
            ctokenVault,
            ctokens: ctokenAllocation.toString(),
          }))
          .filter(({ reserve: address }) => orNull(address) !== null),
      });
    } else if (obligation.matches(account)) {
      found.loans += 1;
      const loan = obligation.decode(account);
      const isUsed = (address: string) => orNull(address) !== null;
      expect(decodeLoan(account)).toEqual({
        program: account.owner,
        owner: loan.owner,
        market: loan.lendingMarket,
        depositedCtokens: Object.fromEntries(
          loan.deposits
            .filter(({ depositReserve }) => isUsed(depositReserve))
            .map(({ depositReserve, depositedAmount }) => [depositReserve, `${depositedAmount}`]),
        ),
        debts: Object.fromEntries(
          loan.borrows
            .filter(({ borrowReserve }) => isUsed(borrowReserve))
            .map(({ borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf: { value } }) => [
              borrowReserve,
              { borrowedSf: `${borrowedAmountSf}`, cumulativeBorrowRateSf: `${value}` },
            ]),
        ),
        deposits: loan.deposits.map(({ depositReserve }) => depositReserve).filter(orNull),
        borrows: loan.borrows.map(({ borrowReserve }) => borrowReserve).filter(orNull),
        referrer: orNull(loan.referrer),
        elevationGroup: loan.elevationGroup,
      });
    } else if (farmState.matches(account)) {
      found.farms += 1;
      const farm = farmState.decode(account);
      expect(decodeFarm(account)).toMatchObject({
        globalConfig: farm.globalConfig,
        mint: farm.token.mint,
        tokenProgram: farm.token.tokenProgram,
        vault: farm.farmVault,
        authority: farm.farmVaultsAuthority,
        scopePrices: orNull(farm.scopePrices),
        totalStakeScaled: farm.totalActiveStakeScaled.toString(),
        totalStaked: farm.totalStakedAmount.toString(),
        pendingScaled: farm.totalPendingStakeScaled.toString(),
        pendingAmount: farm.totalPendingAmount.toString(),
        rewards: farm.rewardInfos
          .slice(0, Number(farm.numRewardTokens))
          .map(({ token, rewardsVault }) => ({
            mint: token.mint,
            tokenProgram: token.tokenProgram,
            vault: rewardsVault,
          })),
      });
    }
  }
  for (const count of Object.values(found)) expect(count).toBeGreaterThan(0);
});

test('an account of another program or kind is not decoded', () => {
  const [account] = [...accounts.values()].filter((each) => reserve.matches(each));
  if (account === undefined) throw new Error('no reserve');
  expect(decodeVault(account)).toBeUndefined();
  expect(decodeReserve({ ...account, owner: '11111111111111111111111111111111' })).toBeUndefined();
  expect(decodeReserve({ ...account, data: account.data.slice(0, 100) })).toBeUndefined();
  expect(decodeReserve(undefined)).toBeUndefined();
});

test('the tables that a transaction names are read from the node, and no others', async () => {
  const builds = await goldenBuilds();
  const build = builds.find(({ lookupTables }) => lookupTables.length > 0);
  if (build === undefined) throw new Error('no build with a table');
  const names: string[] = [];
  const fetch = accountFetch((address) => {
    names.push(address);
    return accounts.get(address);
  });
  const tables = await readLookupTables('http://node.invalid', wireOf(build), { fetch });
  expect(names).toEqual(build.lookupTables.map(({ address }) => address));
  for (const { address } of build.lookupTables) {
    const account = accounts.get(address);
    expect(tables[address]).toEqual(account && addressLookupTable.decode(account).addresses);
  }
  const missing = accountFetch(() => undefined);
  expect(await readLookupTables('http://node.invalid', wireOf(build), { fetch: missing })).toEqual(
    {},
  );
});

test('a node that fails is an error, and the signal is passed on', async () => {
  const [build] = (await goldenBuilds()).filter(({ lookupTables }) => lookupTables.length > 0);
  if (build === undefined) throw new Error('no build with a table');
  const read = (fetch: typeof globalThis.fetch, signal?: AbortSignal) =>
    readLookupTables('http://node.invalid', wireOf(build), { fetch, ...(signal && { signal }) });
  await expect(read(async () => new Response('', { status: 503 }))).rejects.toThrow('status 503');
  await expect(read(async () => Response.json({ error: {} }))).rejects.toThrow('did not answer');
  const controller = new AbortController();
  const signals: unknown[] = [];
  const watched: typeof fetch = async (_, init) => {
    signals.push(init?.signal);
    return Response.json({ result: { value: [null] } });
  };
  await read(watched, controller.signal).catch(() => undefined);
  expect(signals).toEqual([controller.signal]);
});
