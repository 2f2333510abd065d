import { describe, expect, test } from 'vitest';
import {
  buildFromInputs,
  loadExampleContext,
} from '../../../../../test/support/builders/load-build-context.ts';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import { formatInstruction } from '../../../../../test/support/flows/expected-differences.ts';
import { exampleAddress } from '../../../../../test/support/lending/example-lending.ts';
import { NOW } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  EXAMPLE_VAULT,
  type ExampleVaultOptions,
  exampleVaultAccounts,
  farmToken,
  HOLDER,
  holderTokenAccount,
  SHARE_MINT,
} from '../../../../../test/support/vaults/example-vault-accounts.ts';
import { CodedError } from '../../base/errors.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
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

function refusalOf(shares: AmountOrAll, made: ExampleVaultOptions): string {
  try {
    withdraw(shares, made);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'NOTHING_TO_BUILD') return error.message;
    throw error;
  }
  return 'built';
}

/** A share for a lamport, all at hand. */
const even = { tokenAvailable: toLamports(10_000_000n), sharesIssued: 10_000_000n };

const loose = { vault: even, saver: { loose: 2_000_000n } };
const staked = { vault: even, farm: {}, saver: { loose: 300_000n, staked: 1_700_000n } };

describe('where shares come from', () => {
  test('the wallet’s own are enough: nothing is unstaked, no account for them is created', () => {
    expect(textsOf(withdraw(300_000n, staked))).toEqual([
      'createIdempotent',
      'withdrawFromAvailable(300000)',
    ]);
  });

  test('exactly those that the wallet lacks are unstaked', () => {
    const { instructions, plan } = withdraw(700_000n, staked);
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'unstake(400000000000000000000000)',
      'withdrawUnstakedDeposits',
      'createIdempotent',
      'withdrawFromAvailable(700000)',
    ]);
    expect(plan.pays).toMatchObject([{ mint: SHARE_MINT, amount: 700_000n, certainty: 'exactly' }]);
    expect(plan.closes).toEqual([]);
  });

  test('all of them, by word or by number, is a full exit that closes the account', () => {
    const all = withdraw('all', staked);
    expect(textsOf(all)).toEqual([
      'createIdempotent',
      'unstake(1700000000000000000000000)',
      'withdrawUnstakedDeposits',
      'createIdempotent',
      `withdrawFromAvailable(${ALL})`,
      'closeAccount',
    ]);
    expect(withdraw(2_000_000n, staked).instructions).toEqual(all.instructions);
    expect(all.plan.closes).toMatchObject([
      { address: holderTokenAccount(SHARE_MINT, 0n)[0], refundLamports: 2_039_280n },
    ]);
    expect(all.plan.pays).toMatchObject([{ amount: 2_000_000n, certainty: 'exactly' }]);
  });

  test('what somebody sent to the account for shares comes back with its rent', () => {
    const [address, account] = holderTokenAccount(SHARE_MINT, 300_000n);
    const richer = { ...account, lamports: account.lamports + 77n };
    const { plan } = withdraw('all', { ...staked, more: [[address, richer]] });
    expect(plan.closes).toMatchObject([{ address, refundLamports: 2_039_357n }]);
  });

  test('a wallet with staked shares alone gets an account for them, and its rent back', () => {
    const { plan } = withdraw('all', { vault: even, farm: {}, saver: { staked: 5_000n } });
    expect(plan.creates.map(({ address }) => address)).toContain(
      holderTokenAccount(SHARE_MINT, 0n)[0],
    );
    expect(plan.closes).toMatchObject([{ refundLamports: 2_039_280n }]);
  });

  test('in a farm that was given tokens fewer stake shares are enough', () => {
    // 3400000 stake shares own 6800001 shares of the vault: 400000 cost 199999.97 of them
    const farm = { totalStakedAmount: toLamports(6_800_001n) };
    const [, unstake] = withdraw(700_000n, { ...staked, farm }).instructions;
    expect(unstake && formatInstruction(unstake)).toBe('unstake(199999970588239619376527)');
  });

  test('what was unstaked earlier is taken first, and counts', () => {
    const pending = {
      pendingWithdrawalUnstakeScaled: 500_000n * 10n ** 18n,
      pendingWithdrawalUnstakeTs: NOW,
    };
    const farm = {
      totalPendingStakeScaled: 500_000n * 10n ** 18n,
      totalPendingAmount: toLamports(500_000n),
    };
    const made = { ...staked, farm, saver: { ...staked.saver, user: pending } };
    expect(textsOf(withdraw(700_000n, made))).toEqual([
      'createIdempotent',
      'withdrawUnstakedDeposits',
      'createIdempotent',
      'withdrawFromAvailable(700000)',
    ]);
    expect(textsOf(withdraw(900_000n, made)).slice(1, 4)).toEqual([
      'withdrawUnstakedDeposits',
      'unstake(100000000000000000000000)',
      'withdrawUnstakedDeposits',
    ]);
    expect(withdraw('all', made).plan.pays).toMatchObject([{ amount: 2_500_000n }]);
    const cooling = { ...pending, pendingWithdrawalUnstakeTs: NOW + 1n };
    const later = { ...made, saver: { ...staked.saver, user: cooling } };
    expect(withdraw('all', later).plan.pays).toMatchObject([{ amount: 2_000_000n }]);
    expect(withdraw('all', later).plan.notes).toEqual([
      '0.5 shares more are on their way into its farm or out of it.',
    ]);
  });

  test('shares of a farm of another token are not counted', () => {
    const token = farmToken(exampleAddress('other'));
    expect(withdraw('all', { ...staked, farm: { token } }).plan.pays).toMatchObject([
      { amount: 300_000n },
    ]);
  });
});

describe('what is refused', () => {
  test('more shares than the wallet holds, telling how many that are', () => {
    expect(refusalOf(2_000_001n, staked)).toBe(
      `${HOLDER} holds 2 shares of the vault Made, 2.000001 shares were asked for. Ask for that many or fewer.`,
    );
  });

  test('a wallet without shares', () => {
    const nothing = `${HOLDER} holds no shares of the vault Made to withdraw.`;
    expect(refusalOf('all', { vault: even })).toBe(nothing);
    expect(refusalOf(1n, { vault: even, saver: { loose: 0n } })).toBe(nothing);
  });

  test('staked shares of a farm that keeps them for a while, but not the wallet’s own', () => {
    const cooling = { ...staked, farm: { withdrawalCooldownPeriod: 86_400 } };
    expect(refusalOf(700_000n, cooling)).toBe(
      '0.4 shares of those asked for are staked, and the farm keeps them for 86400 seconds after they are unstaked. Unstake them first and withdraw after that. Without unstaking, 0.3 shares can be withdrawn now.',
    );
    expect(refusalOf(300_000n, cooling)).toBe('built');
  });

  test('staked shares that are locked, also where leaving would only cost some of them', () => {
    const lock = { lockingMode: 2n, lockingStartTimestamp: NOW, lockingDuration: 50n };
    for (const lockingEarlyWithdrawalPenaltyBps of [0n, 100n, 10_000n]) {
      const farm = { ...lock, lockingEarlyWithdrawalPenaltyBps };
      expect(refusalOf('all', { ...staked, farm })).toBe(
        '1.7 shares of those asked for are staked and locked for 50 more seconds: leaving early is refused or costs shares. Without unstaking, 0.3 shares can be withdrawn now.',
      );
    }
    const over = { ...lock, lockingStartTimestamp: NOW - 50n };
    expect(refusalOf('all', { ...staked, farm: over })).toBe('built');
  });

  test('shares that are newer than what is known of the vault, for a moment', () => {
    const vault = { ...even, sharesIssued: 1_999_999n };
    expect(errorCode(() => withdraw(1n, { ...staked, vault }))).toBe('STALE_READ');
  });

  test('an unknown vault, and accounts that were not read', () => {
    const { state, accounts } = exampleVaultAccounts(staked);
    const request = { wallet: HOLDER, vault: SHARE_MINT, shares: 'all' } as const;
    expect(
      errorCode(() => vaultWithdrawBuilder.needs(request, { state, accounts: new Map() })),
    ).toBe('KVAULT_NOT_FOUND');
    const known = { ...request, vault: EXAMPLE_VAULT };
    const { scene } = loadExampleContext(vaultWithdrawBuilder, known, { state, accounts });
    for (const address of scene.accounts.keys()) {
      const some = new Map([...scene.accounts].filter(([key]) => key !== address));
      expect(errorCode(() => vaultWithdrawBuilder.build(known, { state, accounts: some }))).toBe(
        'UNSAFE_BUILD',
      );
    }
  });
});

describe('SOL', () => {
  test('arrives as SOL, with what was wrapped before', () => {
    const made = { ...loose, isSol: true, saver: { loose: 2_000_000n, tokens: 5_000n } };
    const { instructions, plan } = withdraw(1_000_000n, made);
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'withdrawFromAvailable(1000000)',
      'closeAccount',
    ]);
    expect(plan.receives).toMatchObject([
      { mint: WRAPPED_SOL_MINT, amount: 1_000_000n, certainty: 'about' },
    ]);
    expect(plan.closes).toMatchObject([{ refundLamports: 2_039_280n + 5_000n + 1_000_000n }]);
    expect(plan.notes).toEqual([
      "The wallet's 0.000005 SOL that were wrapped before are unwrapped together with it.",
    ]);
  });

  test('is unwrapped before the account for shares is closed', () => {
    const { plan } = withdraw('all', { ...loose, isSol: true });
    expect(plan.closes.map(({ what }) => what)).toEqual([
      'token account for wrapped SOL',
      'token account for shares of Made',
    ]);
  });
});
