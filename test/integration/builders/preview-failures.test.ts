import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { type ChangedAccounts, startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import type { PreviewJson } from '../../support/http/preview-json.ts';
import { SIMULATION_END } from '../../support/localnet/simulated-genesis.ts';
import { namedAddress } from '../../support/protocol/published-calls.ts';

/** Each test loads a cluster. */

const nobody = namedAddress('a wallet without SOL');
const poor = namedAddress('a wallet with 0.003 SOL');
const bare = namedAddress('a wallet with 0.003 SOL and no tokens');
const tokenless = namedAddress('a wallet without tokens');
const leftover = namedAddress('a wallet that would be left with 100 lamports');

/** Fee, and the rent of a share account (165 bytes) and of a stake (920 bytes): (128 + size) × 6960. */
const FIRST_VAULT_DEPOSIT = 5000n + 2_039_280n + 7_294_080n;

const walletWith = (address: Address, lamports: bigint) =>
  [address, { owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array(0) }] as const;

async function setUp(changed: ChangedAccounts) {
  const { api, metadata, genesis } = await startGenesisApi('tidegate', changed);
  const post = jsonPoster(api);
  const { wallet: demo, market, vault, borrow } = metadata.demo;
  const preview = async (path: string, fields: Readonly<Record<string, unknown>>) => {
    const lending = path.startsWith('klend') ? { market, reserve: borrow.reserve } : {};
    const body = { wallet: demo, ...lending, ...fields };
    const response = await post(`/ktx/${path}?preview=true`, body);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    return (response.body as { preview: PreviewJson }).preview;
  };
  const errorOf = async (path: string, fields: Readonly<Record<string, unknown>>) => {
    const { simulated, success, error } = await preview(path, fields);
    expect({ simulated, success }).toEqual({ simulated: true, success: false });
    if (error === null) throw new Error('no error');
    return error;
  };
  const usdc = genesis.reserves.get(borrow.reserve)?.liquidity.mintPubkey ?? demo;
  return { preview, errorOf, metadata, demo, vault, usdc, reserve: borrow.reserve };
}

/** The demo wallet has 4 USDC. */
const wallets: ChangedAccounts = ({ accounts, metadata, reserves }) => {
  const { wallet, borrow } = metadata.demo;
  const mint = reserves.get(borrow.reserve)?.liquidity.mintPubkey ?? wallet;
  const address = associatedTokenAddress(wallet, mint, TOKEN_PROGRAM);
  const account = accounts.get(address);
  if (account === undefined) throw new Error('the demo wallet has no USDC');
  const holding = tokenAccount.decode(account);
  const data = tokenAccount.encode({ ...holding, amount: toLamports(4_000_000n) });
  const enough = tokenAccount.encode({
    ...holding,
    owner: poor,
    amount: toLamports(10_000_000n),
  });
  return [
    walletWith(poor, 3_000_000n),
    walletWith(tokenless, 1_000_000_000n),
    walletWith(leftover, 5100n),
    [address, { ...account, data }],
    [associatedTokenAddress(poor, mint, TOKEN_PROGRAM), { ...account, data: enough }],
    walletWith(bare, 3_000_000n),
  ];
};

test('a wallet that has too little learns what, how much and where', async () => {
  const { errorOf, metadata, vault, usdc, demo } = await setUp(wallets);
  const deposit = { kvault: vault, amount: '10' };

  const none = await errorOf('kvault/deposit', { ...deposit, wallet: nobody });
  expect(none).toMatchObject({
    program: null,
    name: 'AccountNotFound',
    message:
      'The wallet has no SOL for the fee. Needed: 0.00933836 SOL; available: 0 SOL; missing: 0.00933836 SOL.',
    action: `Add at least 0.00933836 SOL to the wallet ${nobody}.`,
    figures: { unit: 'sol', symbol: 'SOL', account: nobody, missing: '0.00933836' },
  });
  expect(FIRST_VAULT_DEPOSIT).toBe(9_338_360n);

  const some = await errorOf('kvault/deposit', { ...deposit, wallet: poor });
  expect(some).toMatchObject({
    program: 'system',
    code: 1,
    name: 'ResultWithNegativeLamports',
    message:
      'Account does not have enough SOL. Needed: 0.00933836 SOL; available: 0.003 SOL; missing: 0.00633836 SOL.',
    action: `Add at least 0.00633836 SOL to the wallet ${poor}.`,
  });

  // The share account is paid, then the vault misses the tokens.
  const both = await errorOf('kvault/deposit', { ...deposit, wallet: bare });
  expect(both).toMatchObject({ name: 'AccountNotInitialized', figures: { missing: '10' } });

  const left = await errorOf('kvault/deposit', { ...deposit, wallet: leftover });
  expect(left).toMatchObject({
    name: 'InsufficientFundsForRent',
    // 0.00089088 SOL is the rent of an account without data
    figures: { needed: '0.00089088', available: '0.0000001', missing: '0.00089078' },
    action: `Add at least 0.00089078 SOL to the wallet ${leftover}, or leave it empty.`,
  });

  const missing = await errorOf('kvault/deposit', { ...deposit, wallet: tokenless });
  const account = associatedTokenAddress(tokenless, usdc, TOKEN_PROGRAM);
  expect(missing).toMatchObject({
    program: 'kvault',
    code: 3012,
    name: 'AccountNotInitialized',
    message:
      'The account is not initialized. Needed: 10 USDC; available: 0 USDC; missing: 10 USDC.',
    action: `Send 10 USDC to the wallet: it has no token account ${account} for this token.`,
  });

  const few = await errorOf('klend/repay', { amount: '10' });
  const tokens = associatedTokenAddress(demo, usdc, TOKEN_PROGRAM);
  expect(few).toMatchObject({
    program: 'token',
    code: 1,
    name: 'InsufficientFunds',
    message: 'Insufficient funds. Needed: 10 USDC; available: 4 USDC; missing: 6 USDC.',
    action: `Add 6 USDC to the token account ${tokens}, or use an amount of at most 4 USDC.`,
    figures: { mint: usdc, account: tokens, limit: null, until: null },
  });

  const { withdraw } = metadata.demo;
  const short = await errorOf('klend/withdraw', { ...withdraw, computeUnitLimit: 1000 });
  expect(short.name).toMatch(/^(ComputationalBudgetExceeded|ProgramFailedToComplete)$/);
  expect(short.action).toContain('Set a higher computeUnitLimit, at most 1400000');
});

/** Deposits up to 7 USDC above a limit of 5 below the supply; borrows capped to 1 USDC a day. */
const limits: ChangedAccounts = ({ accounts, metadata, reserves, vaults }) => {
  const { borrow, vault } = metadata.demo;
  const reserve = reserves.get(borrow.reserve);
  const account = accounts.get(borrow.reserve);
  const vaultFields = vaults.get(vault);
  const vaultAccount = accounts.get(vault);
  if (!reserve || !account || !vaultFields || !vaultAccount) throw new Error('no demo accounts');
  const data = reserveLayout.encode({
    ...reserve,
    config: {
      ...reserve.config,
      depositLimit: toLamports(5_000_000n),
      debtWithdrawalCap: {
        configCapacity: 1_000_000n,
        currentTotal: 0n,
        lastIntervalStartTimestamp: toUnixSeconds(SIMULATION_END.unix - 3600n),
        configIntervalLengthSeconds: 86_400n,
      },
    },
  });
  const minimum = toLamports(50_000_000n);
  return [
    [borrow.reserve, { ...account, data }],
    [
      vault,
      {
        ...vaultAccount,
        data: vaultState.encode({
          ...vaultFields,
          minDepositAmount: minimum,
          minWithdrawAmount: minimum,
        }),
      },
    ],
  ];
};

test('a limit is named with what it allows', async () => {
  const { errorOf, preview, vault, reserve } = await setUp(limits);

  const tooMuch = await errorOf('klend/deposit', { amount: '12.5' });
  expect(tooMuch).toMatchObject({
    program: 'klend',
    name: 'DepositLimitExceeded',
    figures: { unit: 'token', account: reserve, symbol: 'USDC', available: '0', limit: '5' },
    action: 'Wait until others withdraw or the limit is raised: no amount is accepted now.',
    maxAmount: '0',
  });

  const capped = await errorOf('klend/borrow', { amount: '25' });
  const until = new Date((Number(SIMULATION_END.unix) - 3600 + 86_400) * 1000).toISOString();
  expect(capped).toMatchObject({
    name: 'WithdrawalCapReached',
    figures: { unit: 'token', available: '1', limit: '1', until },
    action: `Use at most 1 USDC, or wait until ${until}, when the cap starts anew.`,
  });
  // The largest amount is accepted, and one unit more is not.
  const most = Number(capped.maxAmount);
  expect(most).toBeGreaterThan(0.9);
  expect(await preview('klend/borrow', { amount: capped.maxAmount })).toMatchObject({
    success: true,
  });
  const above = await errorOf('klend/borrow', { amount: (most + 0.000001).toFixed(6) });
  expect(above.name).toBe('WithdrawalCapReached');

  const small = await errorOf('kvault/deposit', { kvault: vault, amount: '10' });
  expect(small).toMatchObject({
    program: 'kvault',
    name: 'DepositAmountBelowMinimum',
    figures: { unit: 'token', account: vault, needed: '50', limit: '50' },
    action: 'Deposit more: the minimum is 50 USDC.',
  });
  expect(small.message).toMatch(/would be deposited: (10|9\.99999\d) USDC;/);
  expect(small.message).not.toContain('available');

  // less than the fee of the vault for investing it, where the program panics
  const tiny = await errorOf('kvault/deposit', { kvault: vault, amount: '0.000001' });
  expect(tiny).toMatchObject({
    program: 'kvault',
    name: 'ProgramFailedToComplete',
    message:
      'The program panicked. Needed: 50 USDC; would be deposited: 0 USDC; missing: 50 USDC; limit: 50 USDC.',
    action: 'Deposit more: the minimum is 50 USDC.',
  });
  const part = await errorOf('kvault/withdraw', { kvault: vault, amount: '1' });
  expect(part).toMatchObject({
    name: 'WithdrawAmountBelowMinimum',
    figures: { needed: '50.000001', limit: '50' },
    action: 'Withdraw more: the minimum is 50 USDC.',
  });
  expect(part.message).toContain('would be paid out: ');
});

test('a loan above its health limit learns what it can borrow and withdraw', async () => {
  const { errorOf, preview, metadata } = await setUp(() => []);
  /** The price moves between two previews. */
  const expectLimit = async (path: string, fields: object, max: string | null) => {
    const near = (part: number) => ({ ...fields, amount: (Number(max) * part).toFixed(6) });
    expect(await preview(path, near(0.999))).toMatchObject({ success: true });
    expect(await preview(path, near(1.001))).toMatchObject({ success: false });
  };
  const loan = await errorOf('klend/borrow', { amount: '1000000' });
  expect(loan).toMatchObject({ name: 'BorrowTooLarge', figures: { unit: 'usd' } });
  const { needed, available, missing } = loan.figures ?? {};
  expect(Number(missing)).toBeCloseTo(Number(needed) - Number(available), 6);
  // six digits of a limit that nobody is asked to use
  const limit = /^\d{4}\.\d\d/.exec(loan.maxAmount ?? '')?.[0];
  expect(loan.action).toBe(
    `Borrow at most ${loan.suggestedAmount} USDC, which leaves room for prices that move by 0.5 % and two minutes of interest (the limit now is ${limit} USDC), or deposit more collateral or repay debt first.`,
  );
  await expectLimit('klend/borrow', {}, loan.maxAmount);

  const { reserve } = metadata.demo.withdraw;
  const out = await errorOf('klend/withdraw', { reserve, amount: '1000000' });
  expect(out).toMatchObject({ name: 'WithdrawTooLarge', figures: { unit: 'usd' } });
  expect(out.action).toContain(`Withdraw at most ${out.suggestedAmount} SOL, which leaves room`);
  await expectLimit('klend/withdraw', { reserve }, out.maxAmount);
});
