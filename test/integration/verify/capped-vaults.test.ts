import { expect, test } from 'vitest';
import { bytesFromHex, concatBytes } from '#core/base/encoding/bytes.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
import { instructionError } from '../../support/localnet/instruction-error.ts';
import {
  ADMIN,
  administeredVault,
  OTHER,
  USDC,
  VAULT,
} from '../../support/vaults/administered-vault.ts';
import { updateConfigInstruction } from '../../support/vaults/vault-admin-instructions.ts';
import { buildOnCluster, verifiedOnCluster } from '../../support/vaults/vault-builds.ts';
import type { VaultCluster } from '../../support/vaults/vault-cluster.ts';
import { changeLastNumber, editCall } from '../../support/verify/edit-build.ts';
import { type VerifiedBuild, verifyBuild } from '../../support/verify/verified-build.ts';

const DEPOSIT = 'depositWithMinSharesOut';
const MILLION = 1_000_000n;

/** Room for a number of lamports below the cap of the vault, in a slot without further interest. */
function clusterWithRoom(room: bigint): VaultCluster {
  const { cluster, shared } = administeredVault();
  cluster.fund(OTHER, USDC, 10_000n * MILLION);
  cluster.fund(OTHER, shared.accounts.sharesMint, 0n);
  cluster.changeVault(VAULT, { performanceFeeBps: 0n, managementFeeBps: 0n });
  cluster.run(updateConfigInstruction(shared, ADMIN, ['MinInvestAmount', 0n]));
  const aum = (cluster.vault(VAULT).prevAumSf + (1n << 60n) - 1n) >> 60n;
  cluster.changeVault(VAULT, { depositCap: toLamports(aum + room) });
  return cluster;
}

const buildOf = (cluster: VaultCluster, tokens = 5_000n) =>
  buildOnCluster(cluster, vaultDepositBuilder, {
    wallet: OTHER,
    vault: VAULT,
    amount: tokens * MILLION,
    stake: false,
  });

type Terms = { readonly amount?: bigint; readonly mayBePartial?: boolean };

const verifiedOf = (cluster: VaultCluster, { amount = 5_000n, mayBePartial = false }: Terms = {}) =>
  verifiedOnCluster(cluster, buildOf(cluster, amount), {
    operation: 'vault-deposit',
    wallet: OTHER,
    kvault: VAULT,
    amount: amount.toString(),
    stake: false,
    mayBePartial,
  });

const codesOf = async (build: VerifiedBuild | undefined) =>
  build && (await verifyBuild(build)).reasons.map(({ code }) => code);

test('a deposit above the cap is planned, built and executed for the room that is left', () => {
  const cluster = clusterWithRoom(3_000n * MILLION);
  const before = cluster.vault(VAULT);
  const { plan, instructions } = buildOf(cluster);
  expect(plan.summary).toBe('Deposit 3000 USDC into the vault “Steady USDC”.');
  expect(plan.pays).toMatchObject([{ amount: 3_000n * MILLION, certainty: 'about' }]);
  expect(plan.notes.filter((note) => note.startsWith('The deposit cap of'))).toHaveLength(1);
  expect(cluster.run(...instructions).error).toBeUndefined();
  const after = cluster.vault(VAULT);
  expect(after.tokenAvailable - before.tokenAvailable).toBe(3_000n * MILLION);
  expect(plan.receives).toMatchObject([{ amount: after.sharesIssued - before.sharesIssued }]);
});

test('a deposit of a part is accepted only if the user allows it', async () => {
  const cluster = clusterWithRoom(3_000n * MILLION);
  expect(await codesOf(await verifiedOf(cluster))).toEqual(['WRONG_AMOUNT']);
  expect(await codesOf(await verifiedOf(cluster, { mayBePartial: true }))).toEqual([]);
});

test('a deposit fails if others fill the vault before it lands', () => {
  const cluster = clusterWithRoom(3_000n * MILLION);
  const { instructions } = buildOf(cluster);
  const { depositCap } = cluster.vault(VAULT);
  cluster.changeVault(VAULT, { depositCap: toLamports(depositCap - 30n * MILLION) });
  expect(cluster.run(...instructions).error).toEqual(instructionError(7064, 1));
});

test('a deposit that fits succeeds until its blockhash expires, in spite of interest', () => {
  const cluster = clusterWithRoom(10_000n * MILLION);
  const { instructions, plan } = buildOf(cluster);
  expect(plan.pays).toMatchObject([{ amount: 5_000n * MILLION, certainty: 'at most' }]);
  expect(plan.notes.filter((note) => note.includes('cap'))).toEqual([]);
  cluster.wait(300n);
  expect(cluster.run(...instructions).error).toBeUndefined();
});

test('a full vault is built with a note, for all of the amount or nothing', () => {
  const cluster = clusterWithRoom(0n);
  const { instructions, plan } = buildOf(cluster);
  expect(plan.notes[0]).toMatch(/^The vault program is expected to reject this\. .*7062/);
  expect(cluster.run(...instructions).error).toEqual(instructionError(7062, 1));
  const { depositCap } = cluster.vault(VAULT);
  cluster.changeVault(VAULT, { depositCap: toLamports(depositCap + 4_900n * MILLION) });
  expect(cluster.run(...instructions).error).toEqual(instructionError(7064, 1));
  cluster.changeVault(VAULT, { depositCap: toLamports(depositCap + 5_000n * MILLION) });
  expect(cluster.run(...instructions).error).toBeUndefined();
});

/** The minimum of shares as a tampering server would have it. */
const tamperings = [
  [
    'lowered',
    (build: VerifiedBuild) => changeLastNumber(build, [DEPOSIT, 8], (shares) => shares / 2n),
  ],
  ['zero', (build: VerifiedBuild) => changeLastNumber(build, [DEPOSIT, 8], () => 0n)],
  [
    'missing',
    (build: VerifiedBuild) =>
      editCall(build, DEPOSIT, (call) => ({
        ...call,
        data: concatBytes([bytesFromHex('f223c68952e1f2b6'), call.data.slice(8, 16)]),
      })),
  ],
] as const;

test.each(tamperings)('a minimum that is %s is rejected', async (_, tamper) => {
  const build = await verifiedOf(clusterWithRoom(10_000n * MILLION));
  expect(await codesOf(build)).toEqual([]);
  expect(await codesOf(tamper(build))).toEqual(['WRONG_AMOUNT']);
});

test.each(tamperings)('a minimum of a part that is %s is rejected', async (_, tamper) => {
  const cluster = clusterWithRoom(100_000n * MILLION);
  const build = await verifiedOf(cluster, { amount: 150_000n, mayBePartial: true });
  expect(await codesOf(build)).toEqual([]);
  expect(await codesOf(tamper(build))).toEqual(['WRONG_AMOUNT']);
});
