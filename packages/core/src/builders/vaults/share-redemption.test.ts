import { describe, expect, test } from 'vitest';
import { buildFromInputs } from '../../../../../test/support/builders/load-build-context.ts';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
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
import { globalConfigAddress } from '../../protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '../../protocol/kvault/program.ts';
import type { AmountOrAll, Build } from '../build.ts';
import { vaultWithdrawBuilder } from './vault-withdraw-builder.ts';

const ALL = 18_446_744_073_709_551_615n;

const withdraw = (shares: AmountOrAll, options: ExampleVaultOptions): Build =>
  buildFromInputs(
    vaultWithdrawBuilder,
    { wallet: HOLDER, vault: EXAMPLE_VAULT, shares },
    exampleVaultAccounts(options),
  );

const formatAll = ({ instructions }: Build): string[] => instructions.map(formatInstruction);

/** One lamport per share, all idle. */
const even = { tokenAvailable: toLamports(10_000_000n), sharesIssued: 10_000_000n };
const unstaked = { vault: even, holder: { loose: 2_000_000n } };

/**
 * 4,000,000 lent to the first reserve, 2,000,000 to the second, 1,000,000 idle; one lamport per
 * share.
 */
const lent = (first: bigint, second: bigint): ExampleVaultOptions => ({
  holdings: [
    { ctokens: 4_000_000n, available: first, borrowed: 10_000_000n },
    { ctokens: 2_000_000n, available: second, borrowed: 10_000_000n },
  ],
  vault: { tokenAvailable: toLamports(1_000_000n), sharesIssued: 7_000_000n },
  holder: { loose: 6_500_000n },
});

const PLENTY = 50_000_000n;

describe('a withdrawal', () => {
  test('uses one reserve if that is enough, the most liquid first', () => {
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

  test('over several reserves burns exactly the requested shares', () => {
    // 1,000,000 idle and all but one lamport of the first reserve
    expect(formatAll(withdraw(6_000_000n, lent(PLENTY, PLENTY))).slice(1)).toEqual([
      'withdraw(4999999)',
      'withdraw(1000001)',
    ]);
  });

  test('is not built if the penalties of the program cannot be decoded', () => {
    const config = { owner: KVAULT_PROGRAM, data: new Uint8Array(8), lamports: 1n };
    const more = [[globalConfigAddress(), config] as const];
    expect(catchError(() => withdraw(1n, { ...unstaked, more }))?.code).toBe('ACCOUNT_UNREADABLE');
  });

  test('lists a market once per reserve', () => {
    const holdings = [1n, 2n, 3n].map((ctokens) => ({ ctokens }));
    const { instructions } = withdraw(1_000_000n, { ...unstaked, holdings });
    expect(
      instructions
        .at(-1)
        ?.accounts.slice(14)
        .map(({ address }) => address),
    ).toEqual([...[0, 1, 2].map(vaultReserveAddress), ...[0, 1, 0].map(vaultMarketAddress)]);
  });

  test('of everything from an illiquid vault pays what is available and keeps the account', () => {
    const { plan, instructions } = withdraw('all', lent(1_500_000n, 0n));
    // 1,000,000 idle and 1,499,999 of the first reserve
    expect(instructions.map(formatInstruction)).toEqual(['createIdempotent', 'withdraw(2499999)']);
    expect(plan.closes).toEqual([]);
    expect(plan.pays).toMatchObject([{ amount: 6_500_000n, certainty: 'at most' }]);
    expect(plan.notes).toEqual([
      'The vault can pay for about 2.499999 shares now. The wallet keeps 4.000001 shares unstaked; withdraw them when the vault has more liquidity.',
    ]);
  });

  test('of a number of shares from an illiquid vault is built in full, with a note', () => {
    const { plan, instructions } = withdraw(6_000_000n, lent(1_500_000n, 0n));
    expect(instructions.map(formatInstruction).slice(1)).toEqual(['withdraw(6000000)']);
    expect(plan.notes).toEqual([
      'The vault can pay for about 2.499999 shares now. The transaction fails unless that changes; request fewer shares.',
    ]);
  });

  test('takes the rest from the least liquid reserve, even an empty one', () => {
    // The second reserve pays everything, the first nothing.
    expect(formatAll(withdraw(6_000_000n, lent(0n, PLENTY))).slice(1)).toEqual([
      'withdraw(2999999)',
      'withdraw(3000001)',
    ]);
  });

  test('takes nothing that is queued, above the withdrawal cap, or in emergency mode', () => {
    const { holdings = [], ...options } = lent(PLENTY, PLENTY);
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
      const all = withdraw('all', { ...options, holdings: [{ ...first, ...change }, second] });
      expect(all.instructions.map(({ accounts }) => accounts[15]?.address).at(-1)).toBe(
        vaultReserveAddress(1),
      );
      // 1,000,000 idle and 2,000,000 of the second reserve
      expect(all.plan.notes[0]).toMatch(/^The vault can pay for about 3 shares now\./);
    }
  });

  test('of everything without any liquidity throws', () => {
    const illiquid = { ...lent(0n, 0n), vault: { sharesIssued: 6_000_000n } };
    expect(() => withdraw('all', { ...illiquid, holder: { loose: 5_000_000n } })).toThrow(
      'The vault “Made” has no liquidity to pay out now. Try again when its reserves have more.',
    );
  });

  test('below the minimum of the vault is built, with a note', () => {
    const vault = { ...even, minWithdrawAmount: toLamports(1_000n) };
    const { plan, instructions } = withdraw(1_000n, { ...unstaked, vault });
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'withdrawFromAvailable(1000)',
    ]);
    expect(plan.notes[0]).toMatch(/^The vault program is expected to reject this. .*7004/);
  });

  test('of shares worth less than a lamport keeps their account open', () => {
    const vault = { tokenAvailable: toLamports(9_000_000n), sharesIssued: 10_000_000n };
    const all = withdraw('all', { ...unstaked, vault });
    expect(formatAll(all)).toEqual(['createIdempotent', `withdrawFromAvailable(${ALL})`]);
    expect(all.plan.notes).toEqual([
      'Rounding may leave a few worthless shares, so their account stays open.',
    ]);
  });

  test('with a penalty has a note', () => {
    const penalty = { bps: 100n, lamports: 0n };
    const { plan } = withdraw(1_000_000n, { ...unstaked, holdings: [{ ctokens: 0n }], penalty });
    expect(plan.receives).toMatchObject([{ amount: 990_000n }]);
    expect(plan.notes).toEqual(['The vault keeps about 0.01 TOK as a penalty.']);
  });
});
