import { describe, expect, test } from 'vitest';
import {
  buildFromInputs,
  loadExampleContext,
} from '../../../../../test/support/builders/load-build-context.ts';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
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
import { toLamports } from '../../base/numbers/lamports.ts';
import { WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
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

function rejectionOf(
  shares: AmountOrAll,
  options: ExampleVaultOptions,
  code = 'NOTHING_TO_BUILD',
): string {
  const error = catchError(() => withdraw(shares, options));
  if (error === undefined) return 'built';
  expect(error.code).toBe(code);
  return error.message;
}

/** One lamport per share, all idle. */
const even = { tokenAvailable: toLamports(10_000_000n), sharesIssued: 10_000_000n };

const unstaked = { vault: even, holder: { loose: 2_000_000n } };
const staked = { vault: even, farm: {}, holder: { loose: 300_000n, staked: 1_700_000n } };

describe('the source of shares', () => {
  test("the wallet's shares are enough: nothing is unstaked, no share account is created", () => {
    expect(formatAll(withdraw(300_000n, staked))).toEqual([
      'createIdempotent',
      'withdrawFromAvailable(300000)',
    ]);
  });

  test('exactly the missing shares are unstaked', () => {
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

  test('all shares, as `all` or as a number, close the share account', () => {
    const all = withdraw('all', staked);
    expect(formatAll(all)).toEqual([
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

  test('lamports sent to the share account are returned with its rent', () => {
    const [address, account] = holderTokenAccount(SHARE_MINT, 300_000n);
    const richer = { ...account, lamports: account.lamports + 77n };
    const { plan } = withdraw('all', { ...staked, more: [[address, richer]] });
    expect(plan.closes).toMatchObject([{ address, refundLamports: 2_039_357n }]);
  });

  test('a wallet with only staked shares gets a share account, and its rent back', () => {
    const { plan } = withdraw('all', { vault: even, farm: {}, holder: { staked: 5_000n } });
    expect(plan.creates.map(({ address }) => address)).toContain(
      holderTokenAccount(SHARE_MINT, 0n)[0],
    );
    expect(plan.closes).toMatchObject([{ refundLamports: 2_039_280n }]);
  });

  test('in a farm with added tokens fewer stake shares are needed', () => {
    // 3400000 stake shares own 6800001 shares of the vault: 400000 cost 199999.97 of them
    const farm = { totalStakedAmount: toLamports(6_800_001n) };
    const [, unstake] = withdraw(700_000n, { ...staked, farm }).instructions;
    expect(unstake && formatInstruction(unstake)).toBe('unstake(199999970588239619376527)');
  });

  test('previously unstaked shares are withdrawn first', () => {
    const pending = {
      pendingWithdrawalUnstakeScaled: 500_000n * 10n ** 18n,
      pendingWithdrawalUnstakeTs: NOW,
    };
    const farm = {
      totalPendingStakeScaled: 500_000n * 10n ** 18n,
      totalPendingAmount: toLamports(500_000n),
    };
    const options = { ...staked, farm, holder: { ...staked.holder, user: pending } };
    expect(formatAll(withdraw(700_000n, options))).toEqual([
      'createIdempotent',
      'withdrawUnstakedDeposits',
      'createIdempotent',
      'withdrawFromAvailable(700000)',
    ]);
    expect(formatAll(withdraw(900_000n, options)).slice(1, 4)).toEqual([
      'withdrawUnstakedDeposits',
      'unstake(100000000000000000000000)',
      'withdrawUnstakedDeposits',
    ]);
    expect(withdraw('all', options).plan.pays).toMatchObject([{ amount: 2_500_000n }]);
    const cooling = { ...pending, pendingWithdrawalUnstakeTs: NOW + 1n };
    const later = { ...options, holder: { ...staked.holder, user: cooling } };
    expect(withdraw('all', later).plan.pays).toMatchObject([{ amount: 2_000_000n }]);
    expect(withdraw('all', later).plan.notes).toEqual([
      'Another 0.5 shares are in the warmup or cooldown of the farm.',
    ]);
  });

  test('a farm of another token is ignored', () => {
    const token = farmToken(exampleAddress('other'));
    expect(withdraw('all', { ...staked, farm: { token } }).plan.pays).toMatchObject([
      { amount: 300_000n },
    ]);
  });
});

describe('an error', () => {
  test('for more shares than the wallet holds states the balance', () => {
    expect(rejectionOf(2_000_001n, staked)).toBe(
      `${HOLDER} holds 2 shares of the vault “Made”; 2.000001 shares were requested. Request that many or fewer.`,
    );
  });

  test('for a wallet without shares', () => {
    const nothing = `${HOLDER} holds no shares of the vault “Made” to withdraw.`;
    const none = { vault: even, holder: { loose: 0n } };
    expect(rejectionOf('all', { vault: even }, 'KVAULT_NO_SHARES')).toBe(nothing);
    expect(rejectionOf(1n, none, 'KVAULT_NO_SHARES')).toBe(nothing);
  });

  test("for staked shares with a cooldown, but not for the wallet's shares", () => {
    const cooling = { ...staked, farm: { withdrawalCooldownPeriod: 86_400 } };
    expect(rejectionOf(700_000n, cooling)).toBe(
      '0.4 shares of the requested amount are staked, and the farm has a cooldown of 86400 seconds after unstaking. Unstake them first and withdraw afterwards. Without unstaking, 0.3 shares can be withdrawn now.',
    );
    expect(rejectionOf(300_000n, cooling)).toBe('built');
  });

  test('for locked shares, even if leaving early would only cost some of them', () => {
    const lock = { lockingMode: 2n, lockingStartTimestamp: NOW, lockingDuration: 50n };
    for (const lockingEarlyWithdrawalPenaltyBps of [0n, 100n, 10_000n]) {
      const farm = { ...lock, lockingEarlyWithdrawalPenaltyBps };
      expect(rejectionOf('all', { ...staked, farm })).toBe(
        '1.7 shares of the requested amount are staked and locked for 50 more seconds; unstaking early fails or costs shares. Without unstaking, 0.3 shares can be withdrawn now.',
      );
    }
    const over = { ...lock, lockingStartTimestamp: NOW - 50n };
    expect(rejectionOf('all', { ...staked, farm: over })).toBe('built');
  });

  test('for shares newer than the indexed vault', () => {
    const vault = { ...even, sharesIssued: 1_999_999n };
    expect(catchError(() => withdraw(1n, { ...staked, vault }))?.code).toBe('STALE_READ');
  });

  test('for an unknown vault or unread accounts', () => {
    const { state, accounts } = exampleVaultAccounts(staked);
    const request = { wallet: HOLDER, vault: SHARE_MINT, shares: 'all' } as const;
    expect(
      catchError(() =>
        vaultWithdrawBuilder.requiredAccounts(request, { state, accounts: new Map() }),
      )?.code,
    ).toBe('KVAULT_NOT_FOUND');
    const known = { ...request, vault: EXAMPLE_VAULT };
    const { context } = loadExampleContext(vaultWithdrawBuilder, known, { state, accounts });
    for (const address of context.accounts.keys()) {
      const some = new Map([...context.accounts].filter(([key]) => key !== address));
      expect(
        catchError(() => vaultWithdrawBuilder.build(known, { state, accounts: some }))?.code,
      ).toBe('UNSAFE_BUILD');
    }
  });
});

describe('SOL', () => {
  test('is unwrapped, including previously wrapped SOL', () => {
    const options = { ...unstaked, isSol: true, holder: { loose: 2_000_000n, tokens: 5_000n } };
    const { instructions, plan } = withdraw(1_000_000n, options);
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
      'The 0.000005 SOL that were already wrapped are unwrapped as well.',
    ]);
  });

  test('is unwrapped before the share account is closed', () => {
    const { plan } = withdraw('all', { ...unstaked, isSol: true });
    expect(plan.closes.map(({ what }) => what)).toEqual([
      'token account for wrapped SOL',
      'token account for shares of “Made”',
    ]);
  });
});
