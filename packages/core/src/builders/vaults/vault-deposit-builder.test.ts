import { describe, expect, test } from 'vitest';
import {
  buildFromInputs,
  loadExampleContext,
} from '../../../../../test/support/builders/load-build-context.ts';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { formatInstruction } from '../../../../../test/support/flows/expected-differences.ts';
import {
  EXAMPLE_VAULT,
  type ExampleVaultOptions,
  exampleVaultAccounts,
  HOLDER,
  holderTokenAccount,
  SHARE_FARM,
  SHARE_MINT,
  TOKEN_MINT,
  vaultMarketAddress,
  vaultReserveAddress,
} from '../../../../../test/support/vaults/example-vault-accounts.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import { associatedTokenAddress } from '../../protocol/spl/associated-token.ts';
import { mint as mintLayout } from '../../protocol/spl/layout/mint.ts';
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../protocol/spl/programs.ts';
import type { Build } from '../build.ts';
import { simulateVaultDeposit } from '../simulation/simulate-vault-deposit.ts';
import { vaultDepositBuilder } from './vault-deposit-builder.ts';
import type { VaultDepositRequest } from './vault-request.ts';
import { vaultWithdrawBuilder } from './vault-withdraw-builder.ts';

const request: VaultDepositRequest = { wallet: HOLDER, vault: EXAMPLE_VAULT, amount: 5_000_000n };

const deposit = (options: ExampleVaultOptions, more: Partial<VaultDepositRequest> = {}): Build =>
  buildFromInputs(vaultDepositBuilder, { ...request, ...more }, exampleVaultAccounts(options));

const formatAll = ({ instructions }: Build): string[] => instructions.map(formatInstruction);

/** Two shares per lamport. */
const vault = { tokenAvailable: toLamports(10_000_000n), sharesIssued: 20_000_000n };

describe('a vault deposit', () => {
  test('creates the share account and receives shares', () => {
    const { instructions, plan } = deposit({ vault });
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'depositWithMinSharesOut(5000000, 9990000)',
    ]);
    expect(plan.receives).toEqual([
      { mint: SHARE_MINT, decimals: 6, amount: 10_000_000n, certainty: 'about' },
    ]);
    expect(plan.creates).toMatchObject([
      { address: holderTokenAccount(SHARE_MINT, 0n)[0], rentLamports: 2_039_280n },
    ]);
  });

  test("stakes the shares in the vault's farm and opens the first stake", () => {
    const { instructions, plan } = deposit({ vault, farm: {} });
    expect(instructions.map(formatInstruction).slice(2)).toEqual([
      'initializeUser',
      'stake(18446744073709551615)',
    ]);
    expect(plan.creates[1]).toMatchObject({
      address: userStateAddress(SHARE_FARM, HOLDER),
      // 920 bytes and 128 of overhead
      rentLamports: 1_048n * 6_960n,
    });
  });

  test('uses an existing stake, and notes that other shares are staked as well', () => {
    const options = { vault, farm: {}, holder: { staked: 1n, loose: 70n } };
    const { instructions, plan } = deposit(options);
    expect(instructions.map(formatInstruction).slice(2)).toEqual(['stake(18446744073709551615)']);
    expect(plan.notes).toEqual(['The 0.00007 shares already in the wallet are staked as well.']);
  });

  test('leaves the shares in the wallet on request', () => {
    const { instructions, plan } = deposit({ vault, farm: {} }, { stake: false });
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'depositWithMinSharesOut(5000000, 9990000)',
    ]);
    expect(plan.notes).toEqual([
      'The shares stay in the wallet; unstaked shares earn no farm rewards.',
    ]);
  });

  test('does not stake in a delegated farm', () => {
    const { instructions, plan } = deposit({ vault, farm: { delegateAuthority: HOLDER } });
    expect(instructions).toHaveLength(2);
    expect(plan.notes).toEqual([
      `The farm ${SHARE_FARM} of the vault accepts no shares from wallets, so nothing is staked.`,
    ]);
  });

  test('notes the warmup, cooldown and lock of the farm', () => {
    const farm = { depositWarmupPeriod: 5, withdrawalCooldownPeriod: 7, lockingMode: 1n };
    expect(deposit({ vault, farm }).plan.notes).toEqual([
      'The farm counts a stake after 5 seconds.',
      'The farm has a cooldown of 7 seconds after unstaking.',
      'The farm locks stakes for a time; unstaking early fails or costs shares.',
    ]);
  });

  test('of SOL wraps it first, in an account that stays open', () => {
    const { instructions, plan } = deposit({ vault, isSol: true });
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'transfer(5000000)',
      'syncNative',
      'createIdempotent',
      'depositWithMinSharesOut(5000000, 9990000)',
    ]);
    expect(plan.pays).toEqual([
      { mint: WRAPPED_SOL_MINT, decimals: 9, amount: 5_000_000n, certainty: 'at most' },
    ]);
    expect(plan.closes).toEqual([]);
  });

  test('lists all reserves as writable and their markets as read-only', () => {
    const holdings = [1n, 2n, 3n].map((ctokens) => ({ ctokens }));
    const [, call] = deposit({ vault, holdings }).instructions;
    expect(call?.accounts.slice(13)).toEqual([
      ...[0, 1, 2].map((i) => ({ address: vaultReserveAddress(i), role: 1 })),
      ...[0, 1, 0].map((i) => ({ address: vaultMarketAddress(i), role: 0 })),
    ]);
  });

  test('puts the compute budget first', () => {
    const budget = { computeUnitLimit: 300_000, computeUnitPrice: 7n };
    expect(formatAll(deposit({ vault }, budget)).slice(0, 2)).toEqual([
      'setComputeUnitLimit(300000)',
      'setComputeUnitPrice(7)',
    ]);
  });

  test('that the program would reject is built with a note', () => {
    const { plan } = deposit({ vault: { ...vault, minDepositAmount: toLamports(5_000_001n) } });
    expect(plan.receives).toEqual([]);
    expect(plan.notes[0]).toMatch(/^The vault program is expected to reject this\. .*7026/);
  });

  test('requires its accounts and a known vault', () => {
    const { state, accounts } = exampleVaultAccounts({ vault, farm: {} });
    const { context } = loadExampleContext(vaultDepositBuilder, request, { state, accounts });
    expect([...context.accounts.keys()]).toHaveLength(4);
    for (const address of context.accounts.keys()) {
      const some = new Map([...context.accounts].filter(([key]) => key !== address));
      expect(vaultDepositBuilder.requiredAccounts(request, { state, accounts: some })).toEqual([
        address,
      ]);
      expect(
        catchError(() => vaultDepositBuilder.build(request, { state, accounts: some }))?.code,
      ).toBe('UNSAFE_BUILD');
    }
    expect(
      catchError(() => vaultDepositBuilder.requiredAccounts({ ...request, vault: HOLDER }, context))
        ?.code,
    ).toBe('KVAULT_NOT_FOUND');
  });
});

describe('its preview', () => {
  const preview = (options: ExampleVaultOptions, more: Partial<VaultDepositRequest> = {}) => {
    const fullRequest = { ...request, ...more };
    return simulateVaultDeposit(
      fullRequest,
      loadExampleContext(vaultDepositBuilder, fullRequest, exampleVaultAccounts(options)).context,
    );
  };

  test('pays tokens and rent, and receives shares', () => {
    const { failure, tokens, lamports } = preview({ vault, holder: { tokens: 5_000_000n } });
    expect(failure).toBeUndefined();
    expect(tokens.map(({ change }) => change)).toEqual([-5_000_000n, 10_000_000n]);
    expect(lamports).toBe(-2_039_280n);
  });

  test('stakes new and existing shares', () => {
    const holder = { tokens: 6_000_000n, loose: 70n };
    const { tokens } = preview({ vault, farm: {}, holder });
    expect(tokens.map(({ change }) => change)).toEqual([-5_000_000n, -70n]);
  });

  test('wraps SOL; the unused rest stays wrapped', () => {
    // Three lamports per share: 1666666 shares cost 4999998.
    const expensive = { tokenAvailable: toLamports(60_000_000n), sharesIssued: 20_000_000n };
    const { tokens, lamports } = preview({ vault: expensive, isSol: true });
    expect(tokens.map(({ change }) => change)).toEqual([2n, 1_666_666n]);
    expect(lamports).toBe(-5_000_000n - 2n * 2_039_280n);
  });

  test('names the program that rejects it, and the error', () => {
    const codes = (options: ExampleVaultOptions) => {
      const { failure } = preview(options);
      return failure && [failure.program, failure.code, failure.name];
    };
    const rich = { tokens: 6_000_000n };
    expect(codes({ vault })).toEqual(['kvault', 3012, 'AccountNotInitialized']);
    expect(codes({ vault, holder: { tokens: 4_999_999n } })).toEqual([
      'token',
      1,
      'InsufficientFunds',
    ]);
    expect(codes({ vault, isSol: true, holder: { lamports: 9_078_559n } })).toEqual([
      'system',
      1,
      'ResultWithNegativeLamports',
    ]);
    expect(codes({ vault, isSol: true, holder: { lamports: 9_078_560n } })).toBeUndefined();
    const picky = { ...vault, minDepositAmount: toLamports(5_000_001n) };
    expect(codes({ vault: picky, holder: rich })).toEqual([
      'kvault',
      7026,
      'DepositAmountBelowMinimum',
    ]);
    const farm = { depositCapAmount: toLamports(9_999_999n) };
    expect(codes({ vault, farm, holder: rich })).toEqual(['farms', 6045, 'DepositCapReached']);
    const costly = { ...vault, crankFundFeePerReserve: toLamports(5_000_001n) };
    const holdings = [{ ctokens: 0n, weight: 1n }];
    expect(codes({ vault: costly, holdings, holder: rich })).toEqual([
      'kvault',
      7002,
      'MathOverflow',
    ]);
  });
});

test('an invalid amount throws', () => {
  for (const amount of [0n, -1n, 18_446_744_073_709_551_615n]) {
    expect(catchError(() => deposit({ vault }, { amount }))?.code).toBe('NOTHING_TO_BUILD');
  }
});

test('a Token-2022 token uses its program and a larger account', () => {
  const data = mintLayout.encode({
    mintAuthorityTag: 0,
    mintAuthority: HOLDER,
    supply: toLamports(0n),
    decimals: 6,
    isInitialized: 1,
    freezeAuthorityTag: 0,
    freezeAuthority: HOLDER,
    extensions: undefined,
  });
  const more = [[TOKEN_MINT, { owner: TOKEN_2022_PROGRAM, lamports: 1n, data }] as const];
  const options = { vault, tokenProgram: TOKEN_2022_PROGRAM, more, holder: { loose: 5n } };
  const account = associatedTokenAddress(HOLDER, TOKEN_MINT, TOKEN_2022_PROGRAM);
  const [, call] = deposit(options).instructions;
  expect(call?.accounts[6]?.address).toBe(account);
  expect(call?.accounts.slice(9, 11).map(({ address }) => address)).toEqual([
    TOKEN_2022_PROGRAM,
    TOKEN_PROGRAM,
  ]);
  const request = { wallet: HOLDER, vault: EXAMPLE_VAULT, shares: 2n };
  const { instructions, plan } = buildFromInputs(
    vaultWithdrawBuilder,
    request,
    exampleVaultAccounts(options),
  );
  expect(instructions[0]?.accounts[5]?.address).toBe(TOKEN_2022_PROGRAM);
  // 165 bytes, 1 for the account type, 4 for the immutable owner extension, and 128 of overhead
  expect(plan.creates).toMatchObject([{ address: account, rentLamports: 298n * 6_960n }]);
});
