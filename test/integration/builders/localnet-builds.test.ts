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

/** Each test loads a cluster. */

const ALL = '18446744073709551615';

type BuildRequest = readonly [path: string, body: Readonly<Record<string, string>>];

/** The expected instructions in order, or an error code and a part of its message. */
type Expected = readonly string[] | { readonly code?: string; readonly message: string };

type Simulation = ReturnType<typeof decodedSimulation>;

async function setUp() {
  const { api, genesis, metadata } = await startGenesisApi();
  const post = jsonPoster(api);
  const { market, vault, deposit, borrow } = metadata.demo;
  const [sol, usdc] = [deposit.reserve, borrow.reserve];
  const requests = {
    depositUsdc: (amount: string): BuildRequest => [
      'klend/deposit',
      { market, reserve: usdc, amount },
    ],
    depositSol: (amount: string): BuildRequest => [
      'klend/deposit',
      { market, reserve: sol, amount },
    ],
    borrow: (amount: string): BuildRequest => ['klend/borrow', { market, reserve: usdc, amount }],
    repay: (amount: string): BuildRequest => ['klend/repay', { market, reserve: usdc, amount }],
    withdraw: (amount: string): BuildRequest => [
      'klend/withdraw',
      { market, reserve: sol, amount },
    ],
    vaultDeposit: (amount: string): BuildRequest => ['kvault/deposit', { kvault: vault, amount }],
    vaultWithdraw: (amount: string): BuildRequest => ['kvault/withdraw', { kvault: vault, amount }],
    claimVault: (): BuildRequest => ['farms/claim', { kvault: vault }],
    claimLoan: (): BuildRequest => ['farms/claim', { market }],
  };
  const build = async (wallet: Address, [path, fields]: BuildRequest) => {
    const body = { wallet, ...fields };
    const bundle = await post(`/ktx/${path}-instructions`, body);
    const transaction = await post(`/ktx/${path}`, body);
    return { bundle, transaction };
  };
  const expectBuilt = async (wallet: Address, request: BuildRequest, expected: Expected) => {
    const { bundle, transaction } = await build(wallet, request);
    const label = JSON.stringify([request, bundle.body]);
    if ('message' in expected) {
      for (const { status, body } of [bundle, transaction]) {
        const { message, code } = body as { message: string; code?: string };
        expect([status, code], label).toEqual([400, expected.code]);
        expect(message).toContain(expected.message);
      }
      return;
    }
    expect([bundle.status, transaction.status], label).toEqual([200, 200]);
    const { instructions, tables } = readBundle(bundle.body as BundleJson);
    const built = instructions.map(formatInstruction);
    const isAccountOpen = built.length < expected.length && expected.at(-1) === MAYBE_CLOSED;
    const exact = expected.map((each) => (each === MAYBE_CLOSED ? 'closeAccount' : each));
    expect(built).toEqual(isAccountOpen ? exact.slice(0, -1) : exact);
    const { transaction: text } = transaction.body as { transaction: string };
    const wire = Uint8Array.from(Buffer.from(text, 'base64'));
    const { recentBlockhash } = decodeWireTransaction(wire).message;
    const compiled = kitWire({ wallet, instructions, lookupTables: tables }, recentBlockhash);
    expect(text).toBe(Buffer.from(compiled).toString('base64'));
    expect(tables).toHaveLength(1);
  };
  const expectNoLoan = async (wallet: Address) => {
    const { borrow: borrowRequest, repay, withdraw, claimLoan } = requests;
    for (const request of [
      borrowRequest('25'),
      repay(ALL),
      repay('1'),
      withdraw('0.5'),
      claimLoan(),
    ]) {
      await expectBuilt(wallet, request, NO_LOAN);
    }
  };
  return { genesis, metadata, requests, expectBuilt, expectNoLoan };
}

const NO_LOAN = { code: 'KLEND_OBLIGATION_NOT_FOUND', message: 'has no loan in the market' };
const NO_SHARES = { message: 'holds no shares of the vault', code: 'KVAULT_NO_SHARES' };
const NOTHING = { message: 'Nothing can be claimed for the vault “Harbor USDC Prime” now.' };

/** Rounding may leave a share; the account then stays open. */
const MAYBE_CLOSED = 'closeAccount?';

const fullWithdrawal = (stake: bigint): string[] => [
  'createIdempotent',
  `unstake(${stake})`,
  'withdrawUnstakedDeposits',
  'createIdempotent',
  `withdrawFromAvailable(${ALL})`,
  MAYBE_CLOSED,
];

const refreshes = (count: number): string[] => [
  ...Array.from({ length: count }, () => 'refreshReserve'),
  'refreshObligation',
];

const DEPOSIT = 'depositReserveLiquidityAndObligationCollateralV2';
const WITHDRAW = 'withdrawObligationCollateralAndRedeemReserveCollateralV2';

const WRAP_STEPS = ['createIdempotent', 'transfer(10000000)', 'syncNative'];
const depositedShares = expect.stringMatching(/^depositWithMinSharesOut\(10000000, 99\d{5}\)$/);
const VAULT_DEPOSIT: string[] = ['createIdempotent', depositedShares, `stake(${ALL})`];
const FIRST_VAULT_DEPOSIT = [...VAULT_DEPOSIT.slice(0, 2), 'initializeUser', `stake(${ALL})`];

/** The wallet's stake in the farm of the demo vault. */
function stakeOf({ farmUsers, vaults, metadata }: Simulation, wallet: Address): bigint {
  const farm = vaults.get(metadata.demo.vault)?.vaultFarm;
  const users = [...farmUsers.values()];
  return (
    users.find((user) => user.owner === wallet && user.farmState === farm)?.activeStakeScaled ?? 0n
  );
}

function sharesOf({ tokenAccounts, vaults, metadata }: Simulation, wallet: Address): bigint {
  const mint = vaults.get(metadata.demo.vault)?.sharesMint;
  const accounts = [...tokenAccounts.values()];
  return (
    accounts.find((account) => account.owner === wallet && account.mint === mint)?.amount ?? 0n
  );
}

/** Whether the wallet has an account for the rewards of the demo vault's farm. */
function hasRewardAccount(
  { farms, tokenAccounts, vaults, metadata }: Simulation,
  wallet: Address,
): boolean {
  const farm = farms.get(vaults.get(metadata.demo.vault)?.vaultFarm ?? wallet);
  const mint = farm?.rewardInfos[0]?.token.mint;
  return [...tokenAccounts.values()].some((each) => each.owner === wallet && each.mint === mint);
}

describe('over HTTP, on the embedded cluster', () => {
  test('a new wallet gets missing accounts, and cannot withdraw', async () => {
    const { requests, expectBuilt, expectNoLoan } = await setUp();
    const wallet = namedAddress('somebody new');
    const loan = ['initUserMetadata(11111111111111111111111111111111)', 'initObligation(0, 0)'];
    await expectBuilt(wallet, requests.depositUsdc('12.5'), [
      'createIdempotent',
      ...loan,
      'initObligationFarmsForReserve(0)',
      ...refreshes(1),
      `${DEPOSIT}(12500000)`,
    ]);
    await expectBuilt(wallet, requests.depositSol('0.01'), [
      ...WRAP_STEPS,
      ...loan,
      ...refreshes(1),
      `${DEPOSIT}(10000000)`,
      'closeAccount',
    ]);
    await expectNoLoan(wallet);
    await expectBuilt(wallet, requests.vaultDeposit('10'), FIRST_VAULT_DEPOSIT);
    await expectBuilt(wallet, requests.vaultWithdraw('U64::MAX'), NO_SHARES);
    await expectBuilt(wallet, requests.claimVault(), NOTHING);
  });

  test('the demo wallet uses its loan and its shares', async () => {
    const { requests, expectBuilt, genesis, metadata } = await setUp();
    const { wallet } = metadata.demo;
    await expectBuilt(wallet, requests.depositUsdc('12.5'), [
      'createIdempotent',
      'refreshReserve',
      'refreshReserve',
      'initObligationFarmsForReserve(0)',
      ...refreshes(1),
      `${DEPOSIT}(12500000)`,
    ]);
    await expectBuilt(wallet, requests.depositSol('0.01'), [
      ...WRAP_STEPS,
      ...refreshes(3),
      `${DEPOSIT}(10000000)`,
      'closeAccount',
    ]);
    await expectBuilt(wallet, requests.borrow('25'), [
      'createIdempotent',
      ...refreshes(3),
      'borrowObligationLiquidityV2(25000000)',
    ]);
    await expectBuilt(wallet, requests.repay('10'), [
      ...refreshes(3),
      'repayObligationLiquidityV2(10000000)',
    ]);
    await expectBuilt(wallet, requests.repay('U64::MAX'), [
      ...refreshes(3),
      `repayObligationLiquidityV2(${ALL})`,
    ]);
    await expectBuilt(wallet, requests.withdraw(ALL), [
      'createIdempotent',
      ...refreshes(3),
      `${WITHDRAW}(${ALL})`,
      'closeAccount',
    ]);
    await expectBuilt(wallet, requests.vaultDeposit('10'), VAULT_DEPOSIT);
    await expectBuilt(wallet, requests.vaultWithdraw('1.5'), [
      'createIdempotent',
      'withdrawFromAvailable(1500000)',
    ]);
    await expectBuilt(
      wallet,
      requests.vaultWithdraw('U64::MAX'),
      fullWithdrawal(stakeOf(genesis, wallet)),
    );
    await expectBuilt(wallet, requests.claimVault(), ['harvestReward(0)']);
    await expectBuilt(wallet, requests.claimLoan(), ['harvestReward(0)', 'harvestReward(0)']);
  });

  test('a loan with eight deposits and five debts fits into one transaction', async () => {
    const { requests, expectBuilt, metadata, genesis } = await setUp();
    const wallet = metadata.wallets[1] ?? metadata.demo.wallet;
    const loans = [...genesis.obligations.values()].filter(({ owner }) => owner === wallet);
    const used = loans.flatMap(({ deposits, borrows }) => [
      deposits.filter(({ depositedAmount }) => depositedAmount > 0n).length,
      borrows.filter(({ borrowedAmountSf }) => borrowedAmountSf > 0n).length,
    ]);
    expect(used).toEqual([8, 5]);
    // Four of the five debt tokens are also deposited.
    await expectBuilt(wallet, requests.depositUsdc('12.5'), [
      'createIdempotent',
      ...refreshes(9),
      `${DEPOSIT}(12500000)`,
    ]);
    await expectBuilt(wallet, requests.borrow('25'), [
      'createIdempotent',
      ...refreshes(9),
      'borrowObligationLiquidityV2(25000000)',
    ]);
    await expectBuilt(wallet, requests.repay('U64::MAX'), [
      ...refreshes(9),
      `repayObligationLiquidityV2(${ALL})`,
    ]);
    await expectBuilt(wallet, requests.withdraw('U64::MAX'), [
      'createIdempotent',
      ...refreshes(9),
      `${WITHDRAW}(${ALL})`,
      'closeAccount',
    ]);
    await expectBuilt(wallet, requests.vaultDeposit('10'), FIRST_VAULT_DEPOSIT);
    await expectBuilt(wallet, requests.vaultWithdraw('1'), NO_SHARES);
    await expectBuilt(wallet, requests.claimVault(), NOTHING);
    // The wallet has no account for the first of the two reward tokens.
    await expectBuilt(wallet, requests.claimLoan(), [
      'createIdempotent',
      ...Array.from({ length: 4 }, () => 'harvestReward(0)'),
    ]);
  });

  test('a wallet with only staked shares unstakes the withdrawn ones', async () => {
    const { requests, expectBuilt, expectNoLoan, metadata, genesis } = await setUp();
    const wallet = metadata.wallets.find(
      (each) => sharesOf(genesis, each) === 0n && stakeOf(genesis, each) > 0n,
    );
    if (wallet === undefined) throw new Error('no such wallet');
    await expectBuilt(wallet, requests.vaultWithdraw('1.5'), [
      'createIdempotent',
      `unstake(15${'0'.repeat(5 + 18)})`,
      'withdrawUnstakedDeposits',
      'createIdempotent',
      'withdrawFromAvailable(1500000)',
    ]);
    await expectBuilt(
      wallet,
      requests.vaultWithdraw('U64::MAX'),
      fullWithdrawal(stakeOf(genesis, wallet)),
    );
    await expectBuilt(wallet, requests.vaultWithdraw('99999999'), { message: `${wallet} holds ` });
    await expectBuilt(wallet, requests.vaultDeposit('10'), VAULT_DEPOSIT);
    const rewardAccount = hasRewardAccount(genesis, wallet) ? [] : ['createIdempotent'];
    await expectBuilt(wallet, requests.claimVault(), [...rewardAccount, 'harvestReward(0)']);
    const hasMetadata = [...genesis.userMetadatas.values()].some(({ owner }) => owner === wallet);
    const metadataStep = hasMetadata ? [] : ['initUserMetadata(11111111111111111111111111111111)'];
    await expectBuilt(wallet, requests.depositSol('0.01'), [
      ...WRAP_STEPS,
      ...metadataStep,
      'initObligation(0, 0)',
      ...refreshes(1),
      `${DEPOSIT}(10000000)`,
      'closeAccount',
    ]);
    await expectNoLoan(wallet);
  });
});
