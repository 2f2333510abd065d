import { createHash } from 'node:crypto';
import { toSlot, ZERO_ADDRESS } from '@tidegate/core/base';
import { spl } from '@tidegate/core/protocol';
import { expect, test } from 'vitest';
import {
  decodedGenesis,
  SIMULATION_END,
} from '../../../../test/support/localnet/simulated-genesis.ts';
import { createGenesis, type Genesis } from './genesis.ts';

const world = decodedGenesis('tidegate');
const { accounts, facts, reserves } = world;

/** Of every account: address, owner, lamports and bytes, in order. */
function digest(genesis: Pick<Genesis, 'accounts'>): string {
  const hash = createHash('sha256');
  for (const [address, { owner, lamports, data }] of genesis.accounts) {
    hash.update(`${address} ${owner} ${lamports} ${data.length}\n`).update(data);
  }
  return hash.digest('hex');
}

test('same seed and time, same bytes on any machine', () => {
  expect(digest(world)).toBe('83059f89b5d23c58d5364064880837be85a802ac5953c2306b53cff5d9cf5909');
});

test('another seed, end or length gives other bytes', () => {
  const later = { ...SIMULATION_END, slot: toSlot(SIMULATION_END.slot + 1n) };
  const others = [
    createGenesis({ seed: 'tidegate!', until: SIMULATION_END, days: 2 }),
    createGenesis({ seed: 'tidegate', until: later, days: 2 }),
    createGenesis({ seed: 'tidegate', until: SIMULATION_END, days: 3 }),
  ];
  expect(new Set([world, ...others].map(digest)).size).toBe(4);
});

test('a cluster too young for its own past is refused', () => {
  const until = { ...SIMULATION_END, slot: toSlot(20_000_000n) };
  const plan = { seed: 'tidegate', until, days: 120 };
  expect(() => createGenesis(plan)).toThrow('leaves no 120 days');
});

test('nobody has a position yet', () => {
  expect([world.obligations.size, world.farmUsers.size, world.userMetadatas.size]).toEqual([
    0, 0, 0,
  ]);
  expect([...world.vaults.values()].every(({ sharesIssued }) => sharesIssued === 0n)).toBe(true);
});

test('there are three markets with sixteen reserves, among them one of each kind that matters', () => {
  const mints = [...reserves.values()].map(({ liquidity }) => liquidity);
  expect(world.markets.size).toBe(3);
  expect(reserves.size).toBe(16);
  expect(mints.some(({ mintPubkey }) => mintPubkey === spl.WRAPPED_SOL_MINT)).toBe(true);
  expect(mints.some(({ tokenProgram }) => tokenProgram === spl.TOKEN_2022_PROGRAM)).toBe(true);
  expect(mints.some(({ mintDecimals }) => mintDecimals === 8n)).toBe(true);
  expect(facts.stakePools.size).toBe(2);
  for (const mint of facts.stakePools.keys()) {
    expect(mints.some(({ mintPubkey }) => mintPubkey === mint)).toBe(true);
  }
  const all = [...reserves.values()];
  expect(all.some(({ farmCollateral: a, farmDebt: b }) => ![a, b].includes(ZERO_ADDRESS))).toBe(
    true,
  );
  expect(all.some(({ config }) => config.depositWithdrawalCap.configCapacity > 0n)).toBe(true);
});

test('the token-2022 mint has extensions that the lending program accepts, and its accounts match', () => {
  const [mint] = [...world.mints].filter(([, { extensions }]) => extensions !== undefined);
  const kinds = mint?.[1].extensions?.entries.map(({ kind }) => kind);
  expect(kinds).toContain('transferFeeConfig');
  expect(kinds).toContain('permanentDelegate');
  expect(mint === undefined ? [] : spl.unsupportedExtensions(mint[1])).toEqual([]);
  const wallet = [...world.tokenAccounts].find(([, { owner, mint: of }]) => {
    return of === mint?.[0] && facts.wallets.includes(owner);
  });
  expect(wallet?.[1].extensions?.entries.map(({ kind }) => kind)).toEqual([
    'immutableOwner',
    'transferFeeAmount',
    'transferHookAccount',
  ]);
});

test('a hundred wallets have lamports', () => {
  expect(new Set(facts.wallets).size).toBe(100);
  for (const wallet of facts.wallets) {
    expect(accounts.get(wallet)?.lamports).toBeGreaterThan(10_000_000n);
  }
});
