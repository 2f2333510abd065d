import { createHash } from 'node:crypto';
import { toSlot, ZERO_ADDRESS } from '@tidegate/core/base';
import { spl } from '@tidegate/core/protocol';
import { NEWEST_RULES } from '@tidegate/core/protocol/releases';
import { expect, test } from 'vitest';
import {
  decodedGenesis,
  SIMULATION_END,
} from '../../../../test/support/localnet/simulated-genesis.ts';
import { createGenesis, type Genesis } from './genesis.ts';

const genesis = decodedGenesis('tidegate');
const { accounts, metadata, reserves } = genesis;

/** Covers address, owner, lamports and data of every account, in order. */
function digest({ accounts: initial }: Pick<Genesis, 'accounts'>): string {
  const hash = createHash('sha256');
  for (const [address, { owner, lamports, data }] of initial) {
    hash.update(`${address} ${owner} ${lamports} ${data.length}\n`).update(data);
  }
  return hash.digest('hex');
}

test('the same seed and time give the same bytes on any machine', () => {
  expect(digest(genesis)).toBe('9b97875db709f1a01171084643ce18280d68dbc75e1050d1a9bcbdad40002736');
});

test('another seed, end or duration gives other bytes', () => {
  const later = { ...SIMULATION_END, slot: toSlot(SIMULATION_END.slot + 1n) };
  const others = [
    createGenesis({ seed: 'tidegate!', until: SIMULATION_END, days: 2 }, () => NEWEST_RULES),
    createGenesis({ seed: 'tidegate', until: later, days: 2 }, () => NEWEST_RULES),
    createGenesis({ seed: 'tidegate', until: SIMULATION_END, days: 3 }, () => NEWEST_RULES),
  ];
  expect(new Set([genesis, ...others].map(digest)).size).toBe(4);
});

test('a duration longer than the age of the cluster is rejected', () => {
  const until = { ...SIMULATION_END, slot: toSlot(20_000_000n) };
  const plan = { seed: 'tidegate', until, days: 120 };
  expect(() => createGenesis(plan, () => NEWEST_RULES)).toThrow('less than 120 days');
});

test('no positions exist', () => {
  expect([genesis.obligations.size, genesis.farmUsers.size, genesis.userMetadatas.size]).toEqual([
    0, 0, 0,
  ]);
  expect([...genesis.vaults.values()].every(({ sharesIssued }) => sharesIssued === 0n)).toBe(true);
});

test('there are three markets with sixteen reserves, including all relevant kinds', () => {
  const mints = [...reserves.values()].map(({ liquidity }) => liquidity);
  expect(genesis.markets.size).toBe(3);
  expect(reserves.size).toBe(16);
  expect(mints.some(({ mintPubkey }) => mintPubkey === spl.WRAPPED_SOL_MINT)).toBe(true);
  expect(mints.some(({ tokenProgram }) => tokenProgram === spl.TOKEN_2022_PROGRAM)).toBe(true);
  expect(mints.some(({ mintDecimals }) => mintDecimals === 8n)).toBe(true);
  expect(metadata.stakePools.size).toBe(2);
  for (const mint of metadata.stakePools.keys()) {
    expect(mints.some(({ mintPubkey }) => mintPubkey === mint)).toBe(true);
  }
  const values = [...reserves.values()];
  expect(values.some(({ farmCollateral: a, farmDebt: b }) => ![a, b].includes(ZERO_ADDRESS))).toBe(
    true,
  );
  expect(values.some(({ config }) => config.depositWithdrawalCap.configCapacity > 0n)).toBe(true);
});

test('the Token-2022 mint has extensions that the lending program accepts, and its accounts match', () => {
  const [mint] = [...genesis.mints].filter(([, { extensions }]) => extensions !== undefined);
  const kinds = mint?.[1].extensions?.entries.map(({ kind }) => kind);
  expect(kinds).toContain('transferFeeConfig');
  expect(kinds).toContain('permanentDelegate');
  expect(mint === undefined ? [] : spl.unsupportedExtensions(mint[1])).toEqual([]);
  const wallet = [...genesis.tokenAccounts].find(([, { owner, mint: of }]) => {
    return of === mint?.[0] && metadata.wallets.includes(owner);
  });
  expect(wallet?.[1].extensions?.entries.map(({ kind }) => kind)).toEqual([
    'immutableOwner',
    'transferFeeAmount',
    'transferHookAccount',
  ]);
});

test('a hundred wallets have lamports', () => {
  expect(new Set(metadata.wallets).size).toBe(100);
  for (const wallet of metadata.wallets) {
    expect(accounts.get(wallet)?.lamports).toBeGreaterThan(10_000_000n);
  }
});
