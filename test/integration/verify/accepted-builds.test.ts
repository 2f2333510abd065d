import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertAsyncProperty } from '../../support/properties/assert-property.ts';
import { goldenBuilds } from '../../support/verify/golden-builds.ts';
import {
  lendingBuildOf,
  randomLendingBuilds,
  randomWithdrawals,
  vaultDepositBuildOf,
  withdrawalBuildOf,
} from '../../support/verify/random-verified-builds.ts';
import {
  type VerifiedBuild,
  verifyBuild,
  withinPacket,
} from '../../support/verify/verified-build.ts';

async function expectAccepted(build: VerifiedBuild): Promise<void> {
  const { verdict, reasons, instructions } = await verifyBuild(build);
  expect({ name: build.name, verdict, reasons }).toEqual({
    name: build.name,
    verdict: 'accepted',
    reasons: [],
  });
  expect(instructions.map(({ program }) => program)).toEqual(
    build.instructions.map(({ programAddress }) => programAddress),
  );
  for (const { explanation } of instructions) expect(explanation).toMatch(/^[A-Z].+\.$/);
}

test('every golden flow of a builder is accepted', async () => {
  const builds = await goldenBuilds();
  expect(builds.length).toBeGreaterThanOrEqual(27);
  const names = new Set(builds.map(({ request }) => request.operation));
  expect([...names].sort()).toEqual([
    'farm-claim',
    'lend-borrow',
    'lend-deposit',
    'lend-repay',
    'lend-withdraw',
    'vault-deposit',
    'vault-withdraw',
  ]);
  for (const build of builds) await expectAccepted(build);
});

/** Loans and vaults of the property tests of the builders. */
test('property: every build for a random loan is accepted', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(randomLendingBuilds, async (random) => {
      const build = await lendingBuildOf(random);
      const sendable = build && withinPacket(build);
      fc.pre(sendable !== undefined);
      await expectAccepted(sendable);
    }),
    100,
  );
});

test('property: every withdrawal from a random vault is accepted', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(randomWithdrawals, async (random) => {
      const build = await withdrawalBuildOf(random);
      const sendable = build && withinPacket(build);
      fc.pre(sendable !== undefined);
      await expectAccepted(sendable);
    }),
    75,
  );
});

test('property: every deposit into a random vault is accepted', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(randomWithdrawals, fc.bigInt(1n, 10n ** 15n), async (random, amount) => {
      const sendable = withinPacket(await vaultDepositBuildOf(random, amount));
      fc.pre(sendable !== undefined);
      await expectAccepted(sendable);
    }),
    40,
  );
});
