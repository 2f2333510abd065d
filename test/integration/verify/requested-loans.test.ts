import { expect, test } from 'vitest';
import type { VerifiableRequest } from '#client/verify/index.ts';
import { exampleAddress } from '../../support/lending/example-lending.ts';
import { accountOf } from '../../support/verify/edit-build.ts';
import { goldenBuilds } from '../../support/verify/golden-builds.ts';
import { buildOfLoanKind, planBuilds } from '../../support/verify/plan-builds.ts';
import { type VerifiedBuild, verifyBuild } from '../../support/verify/verified-build.ts';

const MAIN = [
  'borrowObligationLiquidityV2',
  'repayObligationLiquidityV2',
  'withdrawObligationCollateralAndRedeemReserveCollateralV2',
  'depositReserveLiquidityAndObligationCollateralV2',
];

const loanOf = (build: VerifiedBuild): string =>
  MAIN.map((name) => accountOf(build, name, 'obligation')).find((each) => each !== undefined) ?? '';

const withRequest = (build: VerifiedBuild, fields: object): VerifiedBuild => ({
  ...build,
  request: { ...build.request, ...fields } as VerifiableRequest,
});

const codesOf = async (build: VerifiedBuild) => {
  const { verdict, reasons } = await verifyBuild(build);
  return { verdict, codes: [...new Set(reasons.map(({ code }) => code))] };
};

const ACCEPTED = { verdict: 'accepted', codes: [] };

/** Each operation that the API builds for the address of an existing loan, or that has one. */
async function buildsOfLoans(): Promise<VerifiedBuild[]> {
  const builds = [...(await goldenBuilds()), ...(await planBuilds(['0']))];
  return builds.filter(({ request, chainData }) => {
    const { operation } = request;
    return operation.startsWith('lend-') && chainData.loan != null;
  });
}

test('a loan is named by its address, as the API takes it', async () => {
  const builds = (await buildsOfLoans()).filter((build) => loanOf(build) !== '');
  const operations = new Set(builds.map(({ request }) => request.operation));
  expect(operations.size).toBe(7);
  for (const build of builds) {
    const named = withRequest(build, { loan: loanOf(build) });
    expect({ name: build.name, ...(await codesOf(named)) }).toEqual({
      name: build.name,
      ...ACCEPTED,
    });
    const other = withRequest(build, { loan: exampleAddress('another loan') });
    expect((await codesOf(other)).codes, build.name).toContain('WRONG_LOAN');
  }
});

test('a named loan belongs to the wallet, in the market, and exists', async () => {
  const [build] = (await buildsOfLoans()).filter((each) => loanOf(each) !== '');
  const loan = build?.chainData.loan;
  if (build === undefined || loan == null) throw new Error('no loan');
  const named = withRequest(build, { loan: loanOf(build) });
  const withLoan = (changed: typeof loan | null) => ({
    ...named,
    chainData: { ...named.chainData, loan: changed },
  });
  const other = exampleAddress('somebody else');
  expect((await codesOf(withLoan({ ...loan, owner: other }))).codes).toContain('WRONG_LOAN');
  expect((await codesOf(withLoan({ ...loan, market: other }))).codes).toContain('WRONG_MARKET');
  expect((await codesOf(withLoan(null))).codes).toContain('WRONG_LOAN');
});

test('no loan is opened for a request that names one by its address', async () => {
  const opening = (await goldenBuilds()).find(
    (build) => accountOf(build, 'initObligation', 'obligation') !== undefined,
  );
  if (opening === undefined) throw new Error('no loan is opened');
  const chainData = { ...opening.chainData, loan: undefined };
  const { loan: _, ...known } = chainData;
  const named = withRequest({ ...opening, chainData: known }, { loan: loanOf(opening) });
  expect((await codesOf(named)).codes).toContain('WRONG_LOAN');
});

test.each(['multiply', 'leverage'] as const)(
  'the loan of the kind %s is found by its tokens',
  async (kind) => {
    const build = await buildOfLoanKind(kind);
    expect(await codesOf(build)).toEqual(ACCEPTED);
    const other = kind === 'multiply' ? 'leverage' : 'multiply';
    for (const loanKind of [other, 'vanilla', undefined]) {
      expect((await codesOf(withRequest(build, { loanKind }))).codes).toContain('WRONG_LOAN');
    }
    if (!('collateralReserve' in build.request)) throw new Error('no leverage');
    const { collateralReserve, debtReserve } = build.request;
    const decimalsOf = (reserve: string) => build.chainData.reserves?.[reserve]?.decimals;
    const unknown = withRequest(build, {
      collateralDecimals: decimalsOf(collateralReserve),
      debtDecimals: decimalsOf(debtReserve),
    });
    expect((await codesOf({ ...unknown, chainData: {} })).codes).toContain('MISSING_CHAIN_DATA');
  },
);

const PLAIN = {
  tag: 0,
  id: 0,
  seed1: '11111111111111111111111111111111',
  seed2: '11111111111111111111111111111111',
};

test.each([
  ['null', null],
  ['nothing', {}],
  ['a number', 0],
  ['no address', 'loan'],
  ['a tag of 256', { ...PLAIN, tag: 256 }],
  ['an id of 256', { ...PLAIN, id: 256 }],
  ['a tag below zero', { ...PLAIN, tag: -1 }],
  ['half a tag', { ...PLAIN, tag: 0.5 }],
  ['a tag in words', { ...PLAIN, tag: '0' }],
  ['a seed that is no address', { ...PLAIN, seed1: '1' }],
  ['no second seed', { tag: 0, id: 0, seed1: PLAIN.seed1 }],
  ['a field that is not known', { ...PLAIN, seed3: PLAIN.seed1 }],
])('%s as the loan is refused, not an exception', async (_, loan) => {
  const [build] = await buildsOfLoans();
  if (build === undefined) throw new Error('no build');
  expect(await codesOf(withRequest(build, { loan }))).toEqual({
    verdict: 'rejected',
    codes: ['INVALID_REQUEST'],
  });
});
