import { describe, expect, test } from 'vitest';
import {
  buildFromInputs,
  loadExampleContext,
} from '../../../../../test/support/builders/load-build-context.ts';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
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

const deposit = (made: ExampleVaultOptions, more: Partial<VaultDepositRequest> = {}): Build =>
  buildFromInputs(vaultDepositBuilder, { ...request, ...more }, exampleVaultAccounts(made));

const textsOf = ({ instructions }: Build): string[] => instructions.map(formatInstruction);

/** Two shares for a lamport. */
const vault = { tokenAvailable: toLamports(10_000_000n), sharesIssued: 20_000_000n };

describe('a deposit into a vault', () => {
  test('gives shares, whose account is made sure of', () => {
    const { instructions, plan } = deposit({ vault });
    expect(instructions.map(formatInstruction)).toEqual(['createIdempotent', 'deposit(5000000)']);
    expect(plan.receives).toEqual([
      { mint: SHARE_MINT, decimals: 6, amount: 10_000_000n, certainty: 'about' },
    ]);
    expect(plan.creates).toMatchObject([
      { address: holderTokenAccount(SHARE_MINT, 0n)[0], rentLamports: 2_039_280n },
    ]);
  });

  test('stakes them where the vault has a farm, and opens the first stake', () => {
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

  test('does not open a stake twice, and says that other shares are staked with it', () => {
    const made = { vault, farm: {}, saver: { staked: 1n, loose: 70n } };
    const { instructions, plan } = deposit(made);
    expect(instructions.map(formatInstruction).slice(2)).toEqual(['stake(18446744073709551615)']);
    expect(plan.notes).toEqual(['The 0.00007 shares that the wallet holds are staked, too.']);
  });

  test('leaves the shares in the wallet if asked to', () => {
    const { instructions, plan } = deposit({ vault, farm: {} }, { stake: false });
    expect(instructions.map(formatInstruction)).toEqual(['createIdempotent', 'deposit(5000000)']);
    expect(plan.notes).toEqual([
      'The shares stay in the wallet: without a stake they earn no rewards of the farm.',
    ]);
  });

  test('stakes nothing in a farm that takes no shares by hand', () => {
    const { instructions, plan } = deposit({ vault, farm: { delegateAuthority: HOLDER } });
    expect(instructions).toHaveLength(2);
    expect(plan.notes).toEqual([
      `The farm ${SHARE_FARM} that the vault names takes no shares from a wallet: nothing is staked.`,
    ]);
  });

  test('tells what a farm does to those who want to leave again', () => {
    const farm = { depositWarmupPeriod: 5, withdrawalCooldownPeriod: 7, lockingMode: 1n };
    expect(deposit({ vault, farm }).plan.notes).toEqual([
      'The farm counts a stake only after 5 seconds.',
      'The farm keeps shares for 7 seconds after they are unstaked.',
      'The farm locks stakes for a time: leaving early is refused or costs shares.',
    ]);
  });

  test('of SOL wraps it first, in an account that stays', () => {
    const { instructions, plan } = deposit({ vault, isSol: true });
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'transfer(5000000)',
      'syncNative',
      'createIdempotent',
      'deposit(5000000)',
    ]);
    expect(plan.pays).toEqual([
      { mint: WRAPPED_SOL_MINT, decimals: 9, amount: 5_000_000n, certainty: 'at most' },
    ]);
    expect(plan.closes).toEqual([]);
  });

  test('names all reserves to write and the market of each to read', () => {
    const holdings = [1n, 2n, 3n].map((ctokens) => ({ ctokens }));
    const [, call] = deposit({ vault, holdings }).instructions;
    expect(call?.accounts.slice(13)).toEqual([
      ...[0, 1, 2].map((i) => ({ address: vaultReserveAddress(i), role: 1 })),
      ...[0, 1, 0].map((i) => ({ address: vaultMarketAddress(i), role: 0 })),
    ]);
  });

  test('puts the budget in front', () => {
    const budget = { computeUnitLimit: 300_000, computeUnitPrice: 7n };
    expect(textsOf(deposit({ vault }, budget)).slice(0, 2)).toEqual([
      'setComputeUnitLimit(300000)',
      'setComputeUnitPrice(7)',
    ]);
  });

  test('that the program would refuse is built all the same, and noted', () => {
    const { plan } = deposit({ vault: { ...vault, minDepositAmount: toLamports(5_000_001n) } });
    expect(plan.receives).toEqual([]);
    expect(plan.notes[0]).toMatch(/^The vault program is expected to refuse this\. .*7026/);
  });

  test('needs the accounts that it depends on, and no vault that there is not', () => {
    const { state, accounts } = exampleVaultAccounts({ vault, farm: {} });
    const { scene } = loadExampleContext(vaultDepositBuilder, request, { state, accounts });
    expect([...scene.accounts.keys()]).toHaveLength(4);
    for (const address of scene.accounts.keys()) {
      const some = new Map([...scene.accounts].filter(([key]) => key !== address));
      expect(vaultDepositBuilder.needs(request, { state, accounts: some })).toEqual([address]);
      expect(errorCode(() => vaultDepositBuilder.build(request, { state, accounts: some }))).toBe(
        'UNSAFE_BUILD',
      );
    }
    expect(errorCode(() => vaultDepositBuilder.needs({ ...request, vault: HOLDER }, scene))).toBe(
      'KVAULT_NOT_FOUND',
    );
  });
});

describe('its forecast', () => {
  const forecast = (made: ExampleVaultOptions, more: Partial<VaultDepositRequest> = {}) => {
    const asked = { ...request, ...more };
    return simulateVaultDeposit(
      asked,
      loadExampleContext(vaultDepositBuilder, asked, exampleVaultAccounts(made)).scene,
    );
  };

  test('tokens leave and shares come, less the rent of their account', () => {
    const { failure, tokens, lamports } = forecast({ vault, saver: { tokens: 5_000_000n } });
    expect(failure).toBeUndefined();
    expect(tokens.map(({ change }) => change)).toEqual([-5_000_000n, 10_000_000n]);
    expect(lamports).toBe(-2_039_280n);
  });

  test('staked shares leave the wallet, those from before too', () => {
    const saver = { tokens: 6_000_000n, loose: 70n };
    const { tokens } = forecast({ vault, farm: {}, saver });
    expect(tokens.map(({ change }) => change)).toEqual([-5_000_000n, -70n]);
  });

  test('SOL is wrapped, and what the vault does not take stays wrapped', () => {
    // three lamports for a share: 1666666 of them cost 4999998
    const dear = { tokenAvailable: toLamports(60_000_000n), sharesIssued: 20_000_000n };
    const { tokens, lamports } = forecast({ vault: dear, isSol: true });
    expect(tokens.map(({ change }) => change)).toEqual([2n, 1_666_666n]);
    expect(lamports).toBe(-5_000_000n - 2n * 2_039_280n);
  });

  test('says which program refuses, and why', () => {
    const codes = (made: ExampleVaultOptions) => {
      const { failure } = forecast(made);
      return failure && [failure.program, failure.code, failure.name];
    };
    const rich = { tokens: 6_000_000n };
    expect(codes({ vault })).toEqual(['kvault', 3012, 'AccountNotInitialized']);
    expect(codes({ vault, saver: { tokens: 4_999_999n } })).toEqual([
      'token',
      1,
      'InsufficientFunds',
    ]);
    expect(codes({ vault, isSol: true, saver: { lamports: 9_078_559n } })).toEqual([
      'system',
      1,
      'ResultWithNegativeLamports',
    ]);
    expect(codes({ vault, isSol: true, saver: { lamports: 9_078_560n } })).toBeUndefined();
    const picky = { ...vault, minDepositAmount: toLamports(5_000_001n) };
    expect(codes({ vault: picky, saver: rich })).toEqual([
      'kvault',
      7026,
      'DepositAmountBelowMinimum',
    ]);
    const farm = { depositCapAmount: toLamports(9_999_999n) };
    expect(codes({ vault, farm, saver: rich })).toEqual(['farms', 6045, 'DepositCapReached']);
    const costly = { ...vault, crankFundFeePerReserve: toLamports(5_000_001n) };
    const holdings = [{ ctokens: 0n, weight: 1n }];
    expect(codes({ vault: costly, holdings, saver: rich })).toEqual([
      'kvault',
      7002,
      'MathOverflow',
    ]);
  });
});

test('an amount that is none is refused', () => {
  for (const amount of [0n, -1n, 18_446_744_073_709_551_615n]) {
    expect(errorCode(() => deposit({ vault }, { amount }))).toBe('NOTHING_TO_BUILD');
  }
});

test('a token of the newer token program is named with it, and its account is larger', () => {
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
  const made = { vault, tokenProgram: TOKEN_2022_PROGRAM, more, saver: { loose: 5n } };
  const account = associatedTokenAddress(HOLDER, TOKEN_MINT, TOKEN_2022_PROGRAM);
  const [, call] = deposit(made).instructions;
  expect(call?.accounts[6]?.address).toBe(account);
  expect(call?.accounts.slice(9, 11).map(({ address }) => address)).toEqual([
    TOKEN_2022_PROGRAM,
    TOKEN_PROGRAM,
  ]);
  const request = { wallet: HOLDER, vault: EXAMPLE_VAULT, shares: 2n };
  const { instructions, plan } = buildFromInputs(
    vaultWithdrawBuilder,
    request,
    exampleVaultAccounts(made),
  );
  expect(instructions[0]?.accounts[5]?.address).toBe(TOKEN_2022_PROGRAM);
  // 165 bytes, one for the type, four for an owner that cannot change, and 128 of overhead
  expect(plan.creates).toMatchObject([{ address: account, rentLamports: 298n * 6_960n }]);
});
