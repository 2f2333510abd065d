import { describe, expect, test } from 'vitest';
import { buildFromInputs } from '../../../../../test/support/builders/load-build-context.ts';
import { formatInstruction } from '../../../../../test/support/flows/expected-differences.ts';
import { NOW } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  EXAMPLE_VAULT,
  type ExampleVaultOptions,
  exampleVaultAccounts,
  HOLDER,
  vaultMarketAddress,
  vaultReserveAddress,
} from '../../../../../test/support/vaults/example-vault-accounts.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import type { AmountOrAll, Build } from '../build.ts';
import { vaultWithdrawBuilder } from './vault-withdraw-builder.ts';

const ALL = 18_446_744_073_709_551_615n;

const withdraw = (shares: AmountOrAll, made: ExampleVaultOptions): Build =>
  buildFromInputs(
    vaultWithdrawBuilder,
    { wallet: HOLDER, vault: EXAMPLE_VAULT, shares },
    exampleVaultAccounts(made),
  );

const textsOf = ({ instructions }: Build): string[] => instructions.map(formatInstruction);

/** A share for a lamport, all at hand. */
const even = { tokenAvailable: toLamports(10_000_000n), sharesIssued: 10_000_000n };
const loose = { vault: even, saver: { loose: 2_000_000n } };

/** 4000000 lent to the first reserve, 2000000 to the second, a million at hand; a share for a lamport. */
const lent = (first: bigint, second: bigint): ExampleVaultOptions => ({
  holdings: [
    { ctokens: 4_000_000n, available: first, borrowed: 10_000_000n },
    { ctokens: 2_000_000n, available: second, borrowed: 10_000_000n },
  ],
  vault: { tokenAvailable: toLamports(1_000_000n), sharesIssued: 7_000_000n },
  saver: { loose: 6_500_000n },
});

const PLENTY = 50_000_000n;

describe('where tokens come from', () => {
  test('one reserve where that is enough, the one that pays most first', () => {
    const { instructions } = withdraw(4_900_000n, lent(PLENTY, PLENTY));
    expect(instructions.map(formatInstruction)).toEqual(['createIdempotent', 'withdraw(4900000)']);
    const [, exit] = instructions;
    expect(exit?.accounts[15]?.address).toBe(vaultReserveAddress(0));
    expect(exit?.accounts.slice(25)).toEqual([
      { address: vaultReserveAddress(0), role: 1 },
      { address: vaultReserveAddress(1), role: 1 },
      { address: vaultMarketAddress(0), role: 0 },
      { address: vaultMarketAddress(1), role: 0 },
    ]);
  });

  test('several reserves take exactly the shares that were asked for', () => {
    // a million at hand and all but one lamport of the first
    expect(textsOf(withdraw(6_000_000n, lent(PLENTY, PLENTY))).slice(1)).toEqual([
      'withdraw(4999999)',
      'withdraw(1000001)',
    ]);
  });

  test('a market that several reserves share is named for each of them', () => {
    const holdings = [1n, 2n, 3n].map((ctokens) => ({ ctokens }));
    const { instructions } = withdraw(1_000_000n, { ...loose, holdings });
    expect(
      instructions
        .at(-1)
        ?.accounts.slice(14)
        .map(({ address }) => address),
    ).toEqual([...[0, 1, 2].map(vaultReserveAddress), ...[0, 1, 0].map(vaultMarketAddress)]);
  });

  test('who leaves a vault that is short gets what there is, keeps the rest and the account', () => {
    const { plan, instructions } = withdraw('all', lent(1_500_000n, 0n));
    // a million at hand and 1499999 of the first
    expect(instructions.map(formatInstruction)).toEqual(['createIdempotent', 'withdraw(2499999)']);
    expect(plan.closes).toEqual([]);
    expect(plan.pays).toMatchObject([{ amount: 6_500_000n, certainty: 'at most' }]);
    expect(plan.notes).toEqual([
      'The vault can pay for about 2.499999 shares now. The wallet keeps 4.000001 shares, not staked; withdraw them when there is more to pay with.',
    ]);
  });

  test('a number of shares is carried whole into a vault that is short, and noted', () => {
    const { plan, instructions } = withdraw(6_000_000n, lent(1_500_000n, 0n));
    expect(instructions.map(formatInstruction).slice(1)).toEqual(['withdraw(6000000)']);
    expect(plan.notes).toEqual([
      'The vault can pay for about 2.499999 shares now. Unless that changes the transaction is refused: ask for fewer.',
    ]);
  });

  test('the rest of it goes to the reserve that is shortest, also where that has nothing', () => {
    // the second pays all that the vault has there, the first nothing
    expect(textsOf(withdraw(6_000_000n, lent(0n, PLENTY))).slice(1)).toEqual([
      'withdraw(2999999)',
      'withdraw(3000001)',
    ]);
  });

  test('a reserve pays nothing that is queued for, above its cap, or while it is closed', () => {
    const { holdings = [], ...made } = lent(PLENTY, PLENTY);
    const [first = { ctokens: 0n }, second = { ctokens: 0n }] = holdings;
    const depositWithdrawalCap = {
      configCapacity: 0n,
      currentTotal: 0n,
      lastIntervalStartTimestamp: NOW,
      configIntervalLengthSeconds: 60n,
    };
    for (const change of [
      { queued: 60_000_000n },
      { config: { depositWithdrawalCap } },
      { config: { emergencyMode: 1 } },
    ]) {
      const all = withdraw('all', { ...made, holdings: [{ ...first, ...change }, second] });
      expect(all.instructions.map(({ accounts }) => accounts[15]?.address).at(-1)).toBe(
        vaultReserveAddress(1),
      );
      // a million at hand and the two million of the second
      expect(all.plan.notes[0]).toMatch(/^The vault can pay for about 3 shares now\./);
    }
  });

  test('nothing at hand anywhere is refused for who leaves', () => {
    const dry = { ...lent(0n, 0n), vault: { sharesIssued: 6_000_000n } };
    expect(() => withdraw('all', { ...dry, saver: { loose: 5_000_000n } })).toThrow(
      'The vault Made has nothing at hand to pay out now. Try again when its reserves have more.',
    );
  });

  test('the minimum of the vault is left to the chain', () => {
    const vault = { ...even, minWithdrawAmount: toLamports(1_000n) };
    const { plan, instructions } = withdraw(1_000n, { ...loose, vault });
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'withdrawFromAvailable(1000)',
    ]);
    expect(plan.notes[0]).toMatch(/^The vault program is expected to refuse this. .*7004/);
  });

  test('shares worth less than a lamport may be left over: their account stays open', () => {
    const vault = { tokenAvailable: toLamports(9_000_000n), sharesIssued: 10_000_000n };
    const all = withdraw('all', { ...loose, vault });
    expect(textsOf(all)).toEqual(['createIdempotent', `withdrawFromAvailable(${ALL})`]);
    expect(all.plan.notes).toEqual([
      'Rounding may leave a few shares of no worth, so their account stays open.',
    ]);
  });

  test('a penalty is told', () => {
    const penalty = { bps: 100n, lamports: 0n };
    const { plan } = withdraw(1_000_000n, { ...loose, holdings: [{ ctokens: 0n }], penalty });
    expect(plan.receives).toMatchObject([{ amount: 990_000n }]);
    expect(plan.notes).toEqual(['The vault keeps about 0.01 TOK as a penalty.']);
  });
});
