import { beforeAll, expect, test } from 'vitest';
import type { VerificationResult } from '#client/verify/index.ts';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import {
  lendingMarketAuthority,
  obligationAddress,
  userMetadataAddress,
} from '#core/protocol/klend/pda.ts';
import { eventAuthority, globalConfigAddress } from '#core/protocol/kvault/pda.ts';
import { replaceEverywhere } from '../../support/verify/edit-build.ts';
import { goldenBuilds } from '../../support/verify/golden-builds.ts';
import { type VerifiedBuild, verifyBuild } from '../../support/verify/verified-build.ts';

const KLEND = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const KLEND_STAGING = toAddress('SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh');
const KVAULT = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');
const KVAULT_OTHERS = [
  'stKvQfwRsQiKnLtMNVLHKS3exFJmZFsgfzBPWHECUYK',
  'st2Kvh82VyY8JskVJi4PebU9vdnR14VsaEy6TWVzD1r',
  'devkRngFnfp4gBc5a3LsadgbQKdPo8MSZ4prFiNSVmY',
].map((text) => toAddress(text));

let builds: readonly VerifiedBuild[];

beforeAll(async () => {
  builds = await goldenBuilds();
});

const buildsOf = (prefix: string) => {
  const found = builds.filter(({ request }) => request.operation.startsWith(prefix));
  expect(found.length).toBeGreaterThan(0);
  return found;
};

const replaceAll = (build: VerifiedBuild, pairs: readonly (readonly [Address, Address])[]) =>
  pairs.reduce((each, [from, to]) => replaceEverywhere(each, from, to), build);

/** What a server does that wants the wallet to sign for other code: the program, and each account that follows from it. */
const onVaultProgram = (build: VerifiedBuild, program: Address): VerifiedBuild =>
  replaceAll(build, [
    [eventAuthority(KVAULT), eventAuthority(program)],
    [globalConfigAddress(KVAULT), globalConfigAddress(program)],
    [KVAULT, program],
  ]);

function onLendingProgram(build: VerifiedBuild): VerifiedBuild {
  const { wallet, request } = build;
  const market = 'market' in request ? toAddress(request.market ?? '') : wallet;
  const loan = { kind: 'vanilla', owner: wallet, lendingMarket: market } as const;
  return replaceAll(build, [
    [obligationAddress(loan, KLEND), obligationAddress(loan, KLEND_STAGING)],
    [lendingMarketAuthority(market, KLEND), lendingMarketAuthority(market, KLEND_STAGING)],
    [userMetadataAddress(wallet, KLEND), userMetadataAddress(wallet, KLEND_STAGING)],
    [KLEND, KLEND_STAGING],
  ]);
}

const expectForeign = (name: string, { verdict, reasons }: VerificationResult) => {
  expect({ name, verdict }).toEqual({ name, verdict: 'rejected' });
  expect(
    reasons.map(({ code }) => code),
    name,
  ).toContain('UNKNOWN_PROGRAM');
};

test.each(KVAULT_OTHERS)(
  'vaults: the program %s is not the owner of the vault',
  async (program) => {
    for (const build of buildsOf('vault')) {
      expectForeign(build.name, await verifyBuild(onVaultProgram(build, program)));
    }
  },
);

test('loans: the staging program is not the owner of the reserve', async () => {
  for (const build of buildsOf('lend')) {
    expectForeign(build.name, await verifyBuild(onLendingProgram(build)));
  }
});

test('vaults: the lending program of an instruction is the owner of the reserves', async () => {
  for (const build of buildsOf('vault')) {
    const changed = replaceEverywhere(build, KLEND, KLEND_STAGING);
    expectForeign(build.name, await verifyBuild(changed));
  }
});

/** Without chain data a deposit needs the decimals, and a stake the farm. */
const withoutChainData = (build: VerifiedBuild, more: object = {}): VerifiedBuild => {
  const { vault } = build.chainData;
  const farm = vault?.farm === undefined || vault.farm === null ? {} : { farm: vault.farm };
  const request = { ...build.request, ...farm, decimals: vault?.tokenDecimals, ...more };
  return { ...build, request: request as VerifiedBuild['request'], chainData: {} };
};

test('without chain data only the programs of mainnet are called, others by explicit choice', async () => {
  for (const build of buildsOf('vault-deposit')) {
    expect(await verifyBuild(withoutChainData(build))).toMatchObject({ verdict: 'accepted' });
    const [staging = KVAULT] = KVAULT_OTHERS;
    const chosen = withoutChainData(build, { programs: { kvault: staging } });
    expectForeign(build.name, await verifyBuild(onVaultProgram(withoutChainData(build), staging)));
    expectForeign(build.name, await verifyBuild(chosen));
  }
});

test('a choice that the chain data contradicts is rejected', async () => {
  for (const build of [...buildsOf('vault'), ...buildsOf('lend')]) {
    const programs = { klend: KLEND_STAGING };
    const request = { ...build.request, programs };
    expectForeign(build.name, await verifyBuild({ ...build, request }));
  }
});

test('a vault that the staging program owns is verified on the staging program', async () => {
  const program = KVAULT_OTHERS[0] ?? KVAULT;
  const [build] = buildsOf('vault-deposit');
  const vault = build?.chainData.vault;
  if (build === undefined || vault === undefined) throw new Error('no deposit');
  const chainData = { ...build.chainData, vault: { ...vault, program } };
  expect(await verifyBuild({ ...onVaultProgram(build, program), chainData })).toMatchObject({
    verdict: 'accepted',
    reasons: [],
  });
  expectForeign('mainnet', await verifyBuild({ ...build, chainData }));
});
