import { expect, test } from 'vitest';
import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromBits } from '#core/base/numbers/scaled-fraction.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { farmWith, userWith } from '../../support/farms/farm-accounts.ts';
import { goldenUser, goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';
import { expectValue } from '../../support/reference/expect-value.ts';
import { goldenReference } from '../../support/reference/golden-reference.ts';
import { divide, multiply, sum } from '../../support/reference/reference-lending.ts';

const reference = goldenReference();

const STEADY = goldenVault('Steady USDC').address;
const ERIN = goldenUser('erin').address;
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const UNKNOWN = toAddress('GQTt7RfzXGxCRNsVYVRfGCBDgpR8xMRtsM7PAbWiZ1g6');
/** Not used by the golden cluster. */
const USER_STATE = toAddress('8ZN5eeVP1UXVTwKWDGrwyodwHZB9mXKj1DoAPNwyGRvg');
const KLEND_STAGING = 'SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh';

type Loan = {
  obligation: string;
  tag: string;
  netValue: string;
  totalDepositValue: string;
  totalBorrowValue: string;
  ltv: string;
  liquidationLtv: string;
  deposits: { amount: string; value: string; symbol: string }[];
  borrows: { amount: string; value: string; symbol: string; borrowFactor: string }[];
};

type Portfolio = Record<'lending' | 'multiply' | 'leverage', Loan[]> & {
  sections: Record<string, { indexed: boolean; errors: { code: string }[] }>;
  earn: Record<string, string>[];
  privateCredit: Record<string, string>[];
  staking: Record<string, string | null>[];
};

const owners = [...new Set([...reference.obligations.values()].map(({ owner }) => owner))];
const sections = { 0: 'lending', 1: 'multiply', 2: 'lending', 3: 'leverage' } as const;

test.each(owners)(
  'getPortfolio has each loan of %s once, equal to the reference',
  async (owner) => {
    const { get } = await goldenApi();
    const portfolio = (await get(`/portfolio/${owner}`)).body as Portfolio;
    const ownedLoans = [...reference.obligations].filter(([, loan]) => loan.owner === owner);
    const openLoans = ownedLoans.filter(([address]) => {
      const { deposits, borrows } = reference.loanOf(address);
      return deposits.length + borrows.length > 0;
    });
    const entries = [...portfolio.lending, ...portfolio.multiply, ...portfolio.leverage];
    expect(entries.map((one) => one.obligation).sort()).toEqual(
      openLoans.map(([address]) => address).sort(),
    );
    for (const [address, { tag }] of openLoans) {
      const section = sections[Number(tag) as 0 | 1 | 2 | 3];
      const entry = portfolio[section].find((one) => one.obligation === address);
      if (entry === undefined) throw new Error(`${address} is in another section`);
      const { deposits, borrows } = reference.loanOf(address);
      const total = sum(deposits.map(({ usd }) => usd));
      const debt = sum(borrows.map(({ usd }) => usd));
      expectValue(entry.totalDepositValue, total, 'deposits');
      expectValue(entry.totalBorrowValue, debt, 'debts');
      const adjusted = sum(borrows.map((one) => multiply(one.usd, one.borrowFactor)));
      expectValue(entry.ltv, divide(adjusted, total), 'ltv');
      const liquidation = sum(deposits.map((one) => multiply(one.usd, one.liquidationLtv)));
      expectValue(entry.liquidationLtv, divide(liquidation, total), 'liquidation ltv');
      for (const ltv of [entry.ltv, entry.liquidationLtv]) {
        expect(ltv.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(20);
      }
      for (const [i, deposit] of entry.deposits.entries()) {
        expectValue(deposit.amount, deposits[i]?.tokens ?? 0n, 'amount');
        expectValue(deposit.value, deposits[i]?.usd ?? 0n, 'value');
      }
      for (const [i, borrow] of entry.borrows.entries()) {
        expectValue(borrow.amount, borrows[i]?.tokens ?? 0n, 'amount');
        expect(borrow.symbol).not.toBe('');
      }
    }
  },
);

test('getPortfolio has vault shares in tokens and USD, with private credit in its own section', async () => {
  const registry = createRegistry({ ...emptyRegistry, privateCreditVaults: new Set([STEADY]) });
  const { get } = await startApi({ clusters: goldenClusters({ registry }) });
  const { earn, privateCredit } = (await get(`/portfolio/${ERIN}`)).body as Portfolio;
  expect(earn.map(({ name }) => name)).toEqual(['SOL Earn']);
  expect(privateCredit).toEqual([
    expect.objectContaining({ vault: STEADY, tokenMint: USDC, symbol: 'USDC', shares: '20000' }),
  ]);
  // value of the shares by the SDK
  expect(Math.abs(Number(privateCredit[0]?.['amount']) / 20010.59311784 - 1)).toBeLessThan(2e-8);
  const value = Number(privateCredit[0]?.['amount']) * 0.99987;
  expect(Number(privateCredit[0]?.['netValue'])).toBeCloseTo(value, 8);
});

test('getPortfolio has stakes of tokens with their value, but not those of loans or shares', async () => {
  // An active share is worth 1.25 tokens, and a pending one 1 token.
  const farm = farmWith({
    token: { mint: USDC, decimals: 6n, tokenProgram: USDC, padding: new Uint8Array(48) },
    totalActiveStakeScaled: 4_000_000n * 10n ** 18n,
    totalStakedAmount: toLamports(5_000_000n),
    totalPendingStakeScaled: 500_000n * 10n ** 18n,
    totalPendingAmount: toLamports(500_000n),
  });
  const user = userWith({
    owner: ERIN,
    delegatee: ERIN,
    farmState: UNKNOWN,
    activeStakeScaled: 1_600_000n * 10n ** 18n,
    pendingWithdrawalUnstakeScaled: 500_000n * 10n ** 18n,
  });
  const variant = goldenWithAccounts([
    [UNKNOWN, { owner: FARMS_PROGRAM, data: farmState.encode(farm) }],
    [USER_STATE, { owner: FARMS_PROGRAM, data: userState.encode(user) }],
  ]);
  const reader = goldenReader(variant);
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const { staking } = (await get(`/portfolio/${ERIN}`)).body as Portfolio;
  expect(staking).toEqual([
    {
      mint: USDC,
      symbol: 'USDC',
      farm: UNKNOWN,
      amount: '2.5',
      value: '2.499675',
      price: '0.99987',
    },
  ]);
  const whale = goldenUser('whale').address;
  expect(((await get(`/portfolio/${whale}`)).body as Portfolio).staking).toEqual([]);
});

test('getPortfolio has vault shares that are entirely in the cooldown of the farm', async () => {
  const vaultFarm = goldenVault('Steady USDC').farm;
  const raw = reference.accounts.get(vaultFarm);
  if (raw === undefined) throw new Error('no farm');
  const farm = farmState.encode({
    ...farmState.decode(raw),
    totalPendingStakeScaled: 4_000_000n * 10n ** 18n,
    totalPendingAmount: toLamports(3_000_000n),
  });
  const user = userWith({
    owner: UNKNOWN,
    delegatee: UNKNOWN,
    farmState: vaultFarm,
    pendingWithdrawalUnstakeScaled: 2_000_000n * 10n ** 18n,
  });
  const variant = goldenWithAccounts([
    [vaultFarm, { owner: FARMS_PROGRAM, data: farm }],
    [userStateAddress(vaultFarm, UNKNOWN), { owner: FARMS_PROGRAM, data: userState.encode(user) }],
  ]);
  const { get } = await startApi({ clusters: goldenClusters({ reader: goldenReader(variant) }) });
  const { earn } = (await get(`/portfolio/${UNKNOWN}`)).body as Portfolio;
  expect(earn).toEqual([expect.objectContaining({ vault: STEADY, shares: '1.5' })]);
});

test('getPortfolio of an empty wallet has empty sections', async () => {
  const { get } = await goldenApi();
  const body = (await get(`/portfolio/${UNKNOWN}`)).body as Portfolio;
  expect(body).toMatchObject({
    lending: [],
    multiply: [],
    leverage: [],
    liquidity: [],
    earn: [],
    privateCredit: [],
    staking: [],
    timestamp: '2025-10-17T09:55:21.000Z',
  });
  expect(Object.entries(body.sections).map(([name, { indexed }]) => [name, indexed])).toEqual([
    ...[
      ['lending', true],
      ['multiply', true],
      ['leverage', true],
      ['liquidity', false],
    ],
    ...[
      ['earn', true],
      ['privateCredit', true],
      ['staking', true],
      ['ctokens', true],
    ],
  ]);
});

test('getPortfolio omits loans of other programs', async () => {
  const { get } = await goldenApi();
  const [owner] = owners;
  const { body } = await get(`/portfolio/${owner}?programId=${KLEND_STAGING}`);
  expect(body).toMatchObject({ lending: [], multiply: [], leverage: [] });
});

test('getPortfolio omits a loan with an unknown reserve and adds an error to the section', async () => {
  const [address, loan] =
    [...reference.obligations].find(([, { tag, hasDebt }]) => tag === 3n && hasDebt) ?? [];
  const reserve = loan?.borrows.find(({ borrowReserve }) => !/^1+$/.test(borrowReserve));
  if (address === undefined || loan === undefined || reserve === undefined)
    throw new Error('no loan with debt');
  const reader = goldenReader(goldenWithAccounts([[reserve.borrowReserve, undefined]]));
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const response = await get(`/portfolio/${loan.owner}`);
  const body = response.body as Portfolio;
  expect(body.leverage.map((one) => one.obligation)).not.toContain(address);
  expect(body.sections['leverage']?.errors).toEqual([{ code: 'ACCOUNT_UNREADABLE' }]);
  expect(response.headers.get('x-omitted')).toContain(`${address};reason="`);
});

/** Golden cluster with one loan changed. */
function goldenWithLoan(address: Address, change: (loan: Obligation) => Partial<Obligation>) {
  const raw = reference.accounts.get(address);
  if (raw === undefined) throw new Error('no loan');
  const loan = obligation.decode(raw);
  const data = obligation.encode({ ...loan, ...change(loan) });
  return goldenWithAccounts([[address, { owner: raw.owner, data }]]);
}

const [leverageLoan] = [...reference.obligations].filter(
  ([, { tag, hasDebt }]) => tag === 3n && hasDebt,
);

test('getPortfolio truncates a small ltv to 20 decimals', async () => {
  if (leverageLoan === undefined) throw new Error('no loan');
  const [address, { owner }] = leverageLoan;
  const variant = goldenWithLoan(address, ({ borrows }) => ({
    borrows: borrows.map((one) => ({
      ...one,
      borrowedAmountSf: sfFromBits(one.borrowedAmountSf / 10n ** 9n),
    })),
  }));
  const { get } = await startApi({ clusters: goldenClusters({ reader: goldenReader(variant) }) });
  const { leverage } = (await get(`/portfolio/${owner}`)).body as Portfolio;
  const ltv = leverage.find((one) => one.obligation === address)?.ltv ?? '';
  expect(ltv).toMatch(/^0\.000000000[1-9]\d{0,10}$/);
});

test('getPortfolio omits empty loans', async () => {
  if (leverageLoan === undefined) throw new Error('no loan');
  const [address, { owner }] = leverageLoan;
  const variant = goldenWithLoan(address, ({ deposits, borrows }) => ({
    deposits: deposits.map((one) => ({ ...one, depositReserve: ZERO_ADDRESS })),
    borrows: borrows.map((one) => ({ ...one, borrowReserve: ZERO_ADDRESS })),
  }));
  const { get } = await startApi({ clusters: goldenClusters({ reader: goldenReader(variant) }) });
  const { leverage, sections: sectionStates } = (await get(`/portfolio/${owner}`))
    .body as Portfolio;
  expect(leverage.map((one) => one.obligation)).not.toContain(address);
  expect(sectionStates['leverage']?.errors).toEqual([]);
});

test.each([
  ['/portfolio/abc', 'pubkey'],
  [`/portfolio/${ERIN}?programId=abc`, 'programId'],
])('%s returns 400', async (path, name) => {
  const { get } = await goldenApi();
  const { status, body } = await get(path);
  expect(status).toBe(400);
  expect(body).toMatchObject({ details: [{ path: [name] }] });
});
