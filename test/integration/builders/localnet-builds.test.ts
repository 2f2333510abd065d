import { describe, expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { kitWire } from '../../support/builders/kit-compiler.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { formatInstruction } from '../../support/flows/expected-differences.ts';
import { type BundleJson, readBundle } from '../../support/http/instruction-bundle.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import type { decodedSimulation } from '../../support/localnet/simulated-genesis.ts';
import { namedAddress } from '../../support/protocol/published-calls.ts';

/** A cluster is loaded in each. */
const slow = { timeout: 60_000 };

const ALL = '18446744073709551615';

type Asked = readonly [path: string, body: Readonly<Record<string, string>>];

/** What is expected: instructions in order, or status, code and a part of the message. */
type Expected = readonly string[] | { readonly code?: string; readonly says: string };

type World = ReturnType<typeof decodedSimulation>;

async function setUp() {
  const { api, world, facts } = await startGenesisApi();
  const post = jsonPoster(api);
  const { market, vault, deposit, borrow } = facts.demo;
  const [sol, usdc] = [deposit.reserve, borrow.reserve];
  const ask = {
    depositUsdc: (amount: string): Asked => ['klend/deposit', { market, reserve: usdc, amount }],
    depositSol: (amount: string): Asked => ['klend/deposit', { market, reserve: sol, amount }],
    borrow: (amount: string): Asked => ['klend/borrow', { market, reserve: usdc, amount }],
    repay: (amount: string): Asked => ['klend/repay', { market, reserve: usdc, amount }],
    withdraw: (amount: string): Asked => ['klend/withdraw', { market, reserve: sol, amount }],
    save: (amount: string): Asked => ['kvault/deposit', { kvault: vault, amount }],
    redeem: (amount: string): Asked => ['kvault/withdraw', { kvault: vault, amount }],
    claimVault: (): Asked => ['farms/claim', { kvault: vault }],
    claimLoan: (): Asked => ['farms/claim', { market }],
  };
  const answer = async (wallet: Address, [path, body]: Asked, query = '') => {
    const asked = { wallet, ...body };
    const bundle = await post(`/ktx/${path}-instructions${query}`, asked);
    const transaction = await post(`/ktx/${path}${query}`, asked);
    return { bundle, transaction };
  };
  const expectBuilt = async (wallet: Address, asked: Asked, expected: Expected) => {
    const { bundle, transaction } = await answer(wallet, asked);
    const what = JSON.stringify([asked, bundle.body]);
    if ('says' in expected) {
      for (const { status, body } of [bundle, transaction]) {
        const { message, code } = body as { message: string; code?: string };
        expect([status, code], what).toEqual([400, expected.code]);
        expect(message).toContain(expected.says);
      }
      return;
    }
    expect([bundle.status, transaction.status], what).toEqual([200, 200]);
    const { instructions, tables } = readBundle(bundle.body as BundleJson);
    const told = instructions.map(formatInstruction);
    const isLeft = told.length < expected.length && expected.at(-1) === MAYBE_CLOSED;
    const exact = expected.map((each) => (each === MAYBE_CLOSED ? 'closeAccount' : each));
    expect(told).toEqual(isLeft ? exact.slice(0, -1) : exact);
    const { transaction: text } = transaction.body as { transaction: string };
    const wire = Uint8Array.from(Buffer.from(text, 'base64'));
    const { recentBlockhash } = decodeWireTransaction(wire).message;
    const compiled = kitWire({ wallet, instructions, lookupTables: tables }, recentBlockhash);
    expect(text).toBe(Buffer.from(compiled).toString('base64'));
    expect(tables).toHaveLength(1);
  };
  return { world, facts, ask, expectBuilt };
}

const NO_LOAN = { code: 'KLEND_OBLIGATION_NOT_FOUND', says: 'has no loan in the market' };
const NO_SHARES = { says: 'shares of the vault Harbor USDC Prime' };
const NOTHING = { says: 'There is nothing to claim for the vault Harbor USDC Prime now.' };

/** Rounding may leave a share, and then the account stays. */
const MAYBE_CLOSED = 'closeAccount?';
const CLOSED_IF_EMPTY = [MAYBE_CLOSED];

const refreshes = (count: number): string[] => [
  ...Array.from({ length: count }, () => 'refreshReserve'),
  'refreshObligation',
];

const DEPOSIT = 'depositReserveLiquidityAndObligationCollateralV2';
const WITHDRAW = 'withdrawObligationCollateralAndRedeemReserveCollateralV2';

/** Stake shares of the demo vault, as the farm keeps them. */
function stakeOf({ farmUsers, vaults, metadata }: World, wallet: Address): bigint {
  const farm = vaults.get(metadata.demo.vault)?.vaultFarm;
  const users = [...farmUsers.values()];
  return (
    users.find((user) => user.owner === wallet && user.farmState === farm)?.activeStakeScaled ?? 0n
  );
}

function sharesOf({ tokenAccounts, vaults, metadata }: World, wallet: Address): bigint {
  const mint = vaults.get(metadata.demo.vault)?.sharesMint;
  const held = [...tokenAccounts.values()];
  return held.find((account) => account.owner === wallet && account.mint === mint)?.amount ?? 0n;
}

/** Whether it has an account for what the farm of the demo vault pays. */
function ownsReward({ farms, tokenAccounts, vaults, metadata }: World, wallet: Address): boolean {
  const farm = farms.get(vaults.get(metadata.demo.vault)?.vaultFarm ?? wallet);
  const mint = farm?.rewardInfos[0]?.token.mint;
  return [...tokenAccounts.values()].some((each) => each.owner === wallet && each.mint === mint);
}

describe('over HTTP, on the embedded cluster', () => {
  test('a new wallet gets what it lacks, and can take nothing out', slow, async () => {
    const { ask, expectBuilt } = await setUp();
    const wallet = namedAddress('somebody new');
    const loan = ['initUserMetadata(11111111111111111111111111111111)', 'initObligation(0, 0)'];
    await expectBuilt(wallet, ask.depositUsdc('12.5'), [
      'createIdempotent',
      ...loan,
      'initObligationFarmsForReserve(0)',
      ...refreshes(1),
      `${DEPOSIT}(12500000)`,
    ]);
    await expectBuilt(wallet, ask.depositSol('0.01'), [
      ...['createIdempotent', 'transfer(10000000)', 'syncNative'],
      ...loan,
      ...refreshes(1),
      `${DEPOSIT}(10000000)`,
      'closeAccount',
    ]);
    for (const asked of [ask.borrow('25'), ask.repay(ALL), ask.withdraw('0.5'), ask.claimLoan()]) {
      await expectBuilt(wallet, asked, NO_LOAN);
    }
    await expectBuilt(wallet, ask.save('10'), [
      ...['createIdempotent', 'deposit(10000000)', 'initializeUser', `stake(${ALL})`],
    ]);
    await expectBuilt(wallet, ask.redeem('U64::MAX'), NO_SHARES);
    await expectBuilt(wallet, ask.claimVault(), NOTHING);
  });

  test('the demo wallet acts on its loan and its shares', slow, async () => {
    const { ask, expectBuilt, world, facts } = await setUp();
    const { wallet } = facts.demo;
    await expectBuilt(wallet, ask.depositUsdc('12.5'), [
      ...['createIdempotent', 'refreshReserve', 'refreshReserve'],
      'initObligationFarmsForReserve(0)',
      ...refreshes(1),
      `${DEPOSIT}(12500000)`,
    ]);
    await expectBuilt(wallet, ask.depositSol('0.01'), [
      ...['createIdempotent', 'transfer(10000000)', 'syncNative'],
      ...refreshes(3),
      `${DEPOSIT}(10000000)`,
      'closeAccount',
    ]);
    await expectBuilt(wallet, ask.borrow('25'), [
      'createIdempotent',
      ...refreshes(3),
      'borrowObligationLiquidityV2(25000000)',
    ]);
    await expectBuilt(wallet, ask.repay('10'), [
      ...refreshes(3),
      'repayObligationLiquidityV2(10000000)',
    ]);
    await expectBuilt(wallet, ask.repay('U64::MAX'), [
      ...refreshes(3),
      `repayObligationLiquidityV2(${ALL})`,
    ]);
    await expectBuilt(wallet, ask.withdraw(ALL), [
      'createIdempotent',
      ...refreshes(3),
      `${WITHDRAW}(${ALL})`,
      'closeAccount',
    ]);
    await expectBuilt(wallet, ask.save('10'), [
      ...['createIdempotent', 'deposit(10000000)', `stake(${ALL})`],
    ]);
    await expectBuilt(wallet, ask.redeem('1.5'), [
      ...['createIdempotent', 'withdrawFromAvailable(1500000)'],
    ]);
    await expectBuilt(wallet, ask.redeem('U64::MAX'), [
      ...['createIdempotent', `unstake(${stakeOf(world, wallet)})`, 'withdrawUnstakedDeposits'],
      ...['createIdempotent', `withdrawFromAvailable(${ALL})`, ...CLOSED_IF_EMPTY],
    ]);
    await expectBuilt(wallet, ask.claimVault(), ['harvestReward(0)']);
    await expectBuilt(wallet, ask.claimLoan(), ['harvestReward(0)', 'harvestReward(0)']);
  });

  test('a loan with eight deposits and five debts fits one transaction', slow, async () => {
    const { ask, expectBuilt, facts, world } = await setUp();
    const wallet = facts.wallets[1] ?? facts.demo.wallet;
    const own = [...world.obligations.values()].filter(({ owner }) => owner === wallet);
    const used = own.flatMap(({ deposits, borrows }) => [
      deposits.filter(({ depositedAmount }) => depositedAmount > 0n).length,
      borrows.filter(({ borrowedAmountSf }) => borrowedAmountSf > 0n).length,
    ]);
    expect(used).toEqual([8, 5]);
    // four of the five debts are of tokens that are deposited, too
    await expectBuilt(wallet, ask.depositUsdc('12.5'), [
      'createIdempotent',
      ...refreshes(9),
      `${DEPOSIT}(12500000)`,
    ]);
    await expectBuilt(wallet, ask.borrow('25'), [
      'createIdempotent',
      ...refreshes(9),
      'borrowObligationLiquidityV2(25000000)',
    ]);
    await expectBuilt(wallet, ask.repay('U64::MAX'), [
      ...refreshes(9),
      `repayObligationLiquidityV2(${ALL})`,
    ]);
    await expectBuilt(wallet, ask.withdraw('U64::MAX'), [
      'createIdempotent',
      ...refreshes(9),
      `${WITHDRAW}(${ALL})`,
      'closeAccount',
    ]);
    await expectBuilt(wallet, ask.save('10'), [
      ...['createIdempotent', 'deposit(10000000)', 'initializeUser', `stake(${ALL})`],
    ]);
    await expectBuilt(wallet, ask.redeem('1'), NO_SHARES);
    await expectBuilt(wallet, ask.claimVault(), NOTHING);
    // it has never been paid a reward in the first of the two tokens
    await expectBuilt(wallet, ask.claimLoan(), [
      'createIdempotent',
      ...Array.from({ length: 4 }, () => 'harvestReward(0)'),
    ]);
  });

  test('a wallet with staked shares only unstakes what it withdraws', slow, async () => {
    const { ask, expectBuilt, facts, world } = await setUp();
    const wallet = facts.wallets.find(
      (each) => sharesOf(world, each) === 0n && stakeOf(world, each) > 0n,
    );
    if (wallet === undefined) throw new Error('no such wallet');
    await expectBuilt(wallet, ask.redeem('1.5'), [
      ...['createIdempotent', `unstake(15${'0'.repeat(5 + 18)})`, 'withdrawUnstakedDeposits'],
      ...['createIdempotent', 'withdrawFromAvailable(1500000)'],
    ]);
    await expectBuilt(wallet, ask.redeem('U64::MAX'), [
      ...['createIdempotent', `unstake(${stakeOf(world, wallet)})`, 'withdrawUnstakedDeposits'],
      ...['createIdempotent', `withdrawFromAvailable(${ALL})`, ...CLOSED_IF_EMPTY],
    ]);
    await expectBuilt(wallet, ask.redeem('99999999'), {
      says: `${wallet} holds `,
    });
    await expectBuilt(wallet, ask.save('10'), [
      ...['createIdempotent', 'deposit(10000000)', `stake(${ALL})`],
    ]);
    const opened = ownsReward(world, wallet) ? [] : ['createIdempotent'];
    await expectBuilt(wallet, ask.claimVault(), [...opened, 'harvestReward(0)']);
    const isKnown = [...world.userMetadatas.values()].some(({ owner }) => owner === wallet);
    const introduced = isKnown ? [] : ['initUserMetadata(11111111111111111111111111111111)'];
    await expectBuilt(wallet, ask.depositSol('0.01'), [
      ...['createIdempotent', 'transfer(10000000)', 'syncNative', ...introduced],
      'initObligation(0, 0)',
      ...refreshes(1),
      `${DEPOSIT}(10000000)`,
      'closeAccount',
    ]);
    for (const asked of [ask.borrow('25'), ask.repay('1'), ask.withdraw('1'), ask.claimLoan()]) {
      await expectBuilt(wallet, asked, NO_LOAN);
    }
  });
});
