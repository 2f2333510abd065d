import { expect, test } from 'vitest';
import type { ReasonCode } from '#client/verify/index.ts';
import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { type AccountMeta, READ, SIGN } from '#core/base/solana/instruction.ts';
import { compileTransaction } from '#core/builders/compile-transaction.ts';
import { estimateFee } from '#core/builders/simulation/fee-payer.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
import { vaultWithdrawBuilder } from '#core/builders/vaults/vault-withdraw-builder.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { exampleAddress } from '../../support/lending/example-lending.ts';
import { instructionError } from '../../support/localnet/instruction-error.ts';
import { administeredVault, OTHER, VAULT } from '../../support/vaults/administered-vault.ts';
import { buildOnCluster, verifiedOnCluster } from '../../support/vaults/vault-builds.ts';
import type { VaultCluster } from '../../support/vaults/vault-cluster.ts';
import { type VerifiedBuild, verifyBuild } from '../../support/verify/verified-build.ts';

const AUTHORITY = exampleAddress('permissioning authority');
const ATTACKER = exampleAddress('attacker');

function permissionedCluster(authority: Address): VaultCluster {
  const { cluster, shared } = administeredVault();
  cluster.fund(OTHER, shared.accounts.sharesMint, 1_000_000n);
  cluster.changeVault(VAULT, { permissioningAuthority: authority });
  return cluster;
}

const depositOf = (cluster: VaultCluster) =>
  verifiedOnCluster(
    cluster,
    buildOnCluster(cluster, vaultDepositBuilder, {
      wallet: OTHER,
      vault: VAULT,
      amount: 5_000n,
      stake: false,
    }),
    { operation: 'vault-deposit', wallet: OTHER, kvault: VAULT, amount: '0.005', stake: false },
  );

const withdrawalOf = (cluster: VaultCluster) =>
  verifiedOnCluster(
    cluster,
    buildOnCluster(cluster, vaultWithdrawBuilder, { wallet: OTHER, vault: VAULT, shares: 5_000n }),
    {
      operation: 'vault-withdraw',
      wallet: OTHER,
      kvault: VAULT,
      amount: '0.005',
      totalShares: '1',
    },
  );

const operations = [
  ['deposit', depositOf],
  ['withdrawal', withdrawalOf],
] as const;

/** Changes the accounts after the named ones, in every instruction of the vault program. */
const withMetas = (
  build: VerifiedBuild,
  change: (metas: readonly AccountMeta[]) => readonly AccountMeta[],
): VerifiedBuild => ({
  ...build,
  instructions: build.instructions.map((call) =>
    call.programAddress === KVAULT_PROGRAM ? { ...call, accounts: change(call.accounts) } : call,
  ),
});

const lastAs = (last: AccountMeta) => (metas: readonly AccountMeta[]) => [
  ...metas.slice(0, -1),
  last,
];

const codesOf = async (build: VerifiedBuild): Promise<readonly ReasonCode[]> =>
  (await verifyBuild(build)).reasons.map(({ code }) => code);

test.each(operations)('a %s is built for two signers, executed and accepted', async (_, of) => {
  const cluster = permissionedCluster(AUTHORITY);
  const build = await of(cluster);
  const [call] = build.instructions.filter(
    ({ programAddress }) => programAddress === KVAULT_PROGRAM,
  );
  expect(call?.accounts.at(-1)).toEqual({ address: AUTHORITY, role: SIGN });
  const { message } = compileTransaction(build, exampleAddress('blockhash'));
  expect(message.header).toMatchObject({ numRequiredSignatures: 2, numReadonlySignedAccounts: 1 });
  expect(message.staticKeys.slice(0, 2)).toEqual([OTHER, AUTHORITY]);
  expect(estimateFee(build, {})).toEqual({ base: 10_000n, priority: 0n });
  expect(await verifyBuild(build)).toMatchObject({ verdict: 'accepted', reasons: [] });
  expect(cluster.run(...build.instructions).error).toBeUndefined();
});

test('the plan says who must sign as well', () => {
  const cluster = permissionedCluster(AUTHORITY);
  const request = { wallet: OTHER, vault: VAULT, amount: 5_000n, stake: false };
  const note = `The vault is permissioned: ${AUTHORITY} must sign the transaction as well, or the vault program rejects it.`;
  expect(buildOnCluster(cluster, vaultDepositBuilder, request).plan.notes).toContain(note);
  cluster.changeVault(VAULT, { permissioningAuthority: OTHER });
  const { plan } = buildOnCluster(cluster, vaultDepositBuilder, request);
  expect(plan.notes.filter((each) => each.includes('permissioned'))).toEqual([]);
});

test.each(operations)('a wallet that is the authority signs a %s alone', async (_, of) => {
  const cluster = permissionedCluster(OTHER);
  const build = await of(cluster);
  expect(await verifyBuild(build)).toMatchObject({ verdict: 'accepted', reasons: [] });
  expect(cluster.run(...build.instructions).error).toBeUndefined();
});

const tamperings: readonly (readonly [
  name: string,
  change: (metas: readonly AccountMeta[]) => readonly AccountMeta[],
  reason: ReasonCode,
  programError: number,
])[] = [
  ['replaced', lastAs({ address: ATTACKER, role: SIGN }), 'EXTRA_SIGNER', 7065],
  [
    'replaced without a signature',
    lastAs({ address: ATTACKER, role: READ }),
    'WRONG_ACCOUNT',
    7065,
  ],
  ['removed', (metas) => metas.slice(0, -1), 'WRONG_ACCOUNT_COUNT', 7065],
  ['not signing', lastAs({ address: AUTHORITY, role: READ }), 'WRONG_ROLE', 3010],
  [
    'before the markets',
    (metas) => [...metas.slice(0, -3), ...metas.slice(-1), ...metas.slice(-3, -1)],
    'WRONG_ACCOUNT',
    7065,
  ],
  [
    'followed by a stranger',
    (metas) => [...metas, { address: ATTACKER, role: READ }],
    'WRONG_ACCOUNT_COUNT',
    7065,
  ],
];

test.each(
  operations.flatMap(([name, of]) => tamperings.map((tampering) => [name, of, tampering] as const)),
)('a %s with another authority is rejected', async (_, of, [, change, reason, programError]) => {
  const cluster = permissionedCluster(AUTHORITY);
  const tampered = withMetas(await of(cluster), change);
  expect(await codesOf(tampered)).toContain(reason);
  const { error } = cluster.run(...tampered.instructions);
  expect(error).toEqual(instructionError(programError, 1));
});

test.each(operations)('a %s must not add a signer to a vault without authority', async (_, of) => {
  const cluster = permissionedCluster(ZERO_ADDRESS);
  const build = await of(cluster);
  expect(await codesOf(build)).toEqual([]);
  const added = withMetas(build, (metas) => [...metas, { address: AUTHORITY, role: SIGN }]);
  expect(await codesOf(added)).toEqual(
    expect.arrayContaining(['EXTRA_SIGNER', 'WRONG_ACCOUNT_COUNT']),
  );
});

test.each(operations)('without chain data a %s with two signers is rejected', async (_, of) => {
  const build = await of(permissionedCluster(AUTHORITY));
  expect(await codesOf({ ...build, chainData: {} })).toContain('EXTRA_SIGNER');
});
