import { address, createSolanaRpc } from '@solana/kit';
import { type Sandbox, type SandboxOptions, startLocalnet } from '@tidegate/localnet';
import { expect, onTestFinished, test } from 'vitest';
import { bytesFromText } from '#core/base/encoding/bytes.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { depositWithMinSharesOut } from '#core/protocol/kvault/instructions/shares.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { readDeployedProgram } from '#core/protocol/releases/deployed-program.ts';
import { programDataAddress } from '#core/protocol/spl/upgradeable-loader.ts';
import { callControl } from '../../../support/localnet/sandbox-reads.ts';
import { signedWire } from '../../../support/localnet/signed-transactions.ts';
import { temporaryDataFolder } from '../../../support/localnet/stored-clusters.ts';
import { alice } from '../../../support/localnet/transacting-localnet.ts';

/** What Anchor says of an instruction that the program does not have, and of one without accounts. */
const [UNKNOWN_INSTRUCTION, MISSING_ACCOUNTS] = ['0x65', '0xbbd'];

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const net = await startLocalnet({ seed: 'upgrades', clock: 'on-demand', ...options });
  onTestFinished(() => net.stop());
  await net.airdrop(alice.address, 10_000_000_000n);
  return net;
}

async function deployed(net: Sandbox, program: 'klend' | 'kvault') {
  const of = { program, address: program === 'klend' ? KLEND_PROGRAM : KVAULT_PROGRAM };
  const account = await net.account(programDataAddress(of.address));
  if (account === undefined) throw new Error('no program data');
  return readDeployedProgram(of, account, 'localnet');
}

const releaseOf = async (net: Sandbox, program: 'klend' | 'kvault') =>
  (await deployed(net, program)).release?.version;

/** The error of an instruction that the vault program has since 2.2.2, called without accounts. */
async function callNewInstruction(net: Sandbox): Promise<string> {
  const { value } = await createSolanaRpc(net.rpcUrl).getLatestBlockhash().send();
  const data = new Uint8Array([...depositWithMinSharesOut.discriminator, ...new Uint8Array(16)]);
  const instructions = [{ programAddress: KVAULT_PROGRAM, accounts: [], data }];
  const { blockhash } = value;
  const { error } = await net.send(signedWire({ instructions, signers: [alice], blockhash }));
  return /0x[0-9a-f]+$/.exec(error ?? '')?.[0] ?? `${error}`;
}

test('programs have the accounts of a real cluster, which name the release', async () => {
  const net = await start();
  const rpc = createSolanaRpc(net.rpcUrl);
  const { value } = await rpc.getAccountInfo(address(KLEND_PROGRAM), { encoding: 'base64' }).send();
  expect(value).toMatchObject({ executable: true, space: 36n });
  const data = await rpc
    .getAccountInfo(address(programDataAddress(KLEND_PROGRAM)), { encoding: 'base64' })
    .send();
  expect(data.value?.executable).toBe(false);
  expect(await deployed(net, 'klend')).toMatchObject({
    deploySlot: 0n,
    release: { version: '1.25', by: 'model' },
  });
  expect(await releaseOf(net, 'kvault')).toBe('2.3.0');
});

test('after an upgrade to a release the cluster executes it from the next slot on', async () => {
  const net = await start();
  expect(await callNewInstruction(net)).toBe(MISSING_ACCOUNTS);
  const { slot } = await net.upgradeProgram('kvault', '2.1.1');
  expect(await deployed(net, 'kvault')).toMatchObject({
    deploySlot: slot,
    release: { version: '2.1.1', by: 'model' },
  });
  expect(await callNewInstruction(net)).toBe(UNKNOWN_INSTRUCTION);
  await net.upgradeProgram(KVAULT_PROGRAM, '2.2.2');
  expect(await callNewInstruction(net)).toBe(MISSING_ACCOUNTS);
});

test('other bytes replace the executable, and the cluster executes as before', async () => {
  const net = await start({ programs: 'kvault@2.1.1' });
  expect(await callNewInstruction(net)).toBe(UNKNOWN_INSTRUCTION);
  await net.upgradeProgram('kvault', bytesFromText('another program'));
  expect(await deployed(net, 'kvault')).toMatchObject({ size: 15, release: undefined });
  expect(await callNewInstruction(net)).toBe(UNKNOWN_INSTRUCTION);
  await net.upgradeProgram('kvault', '2.3.0');
  await net.upgradeProgram('kvault', bytesFromText('a third one'));
  expect(await callNewInstruction(net)).toBe(MISSING_ACCOUNTS);
});

test('a snapshot and a rollback undo an upgrade', async () => {
  const net = await start();
  await net.isolate(async () => {
    await net.upgradeProgram('kvault', '2.1.1');
    expect(await callNewInstruction(net)).toBe(UNKNOWN_INSTRUCTION);
  });
  expect(await releaseOf(net, 'kvault')).toBe('2.3.0');
  expect(await callNewInstruction(net)).toBe(MISSING_ACCOUNTS);
  await net.upgradeProgram('kvault', '2.1.1');
  await callControl(net.rpcUrl, 'tidegate_rollBack', [1]);
  expect(await callNewInstruction(net)).toBe(MISSING_ACCOUNTS);
});

test('a stored cluster has its upgrades after a restart, whatever release its settings name', async () => {
  const dataFolder = temporaryDataFolder();
  const first = await start({ dataFolder, programs: 'kvault@2.3.0' });
  const { slot } = await first.upgradeProgram('kvault', '2.1.1');
  await first.stop();
  const second = await start({ dataFolder, programs: 'kvault@2.2.2' });
  expect((await deployed(second, 'kvault')).deploySlot).toBe(slot);
  expect(await callNewInstruction(second)).toBe(UNKNOWN_INSTRUCTION);
});

test('without an upgrade a stored cluster has the release that its settings name', async () => {
  const dataFolder = temporaryDataFolder();
  const first = await start({ dataFolder });
  await first.stop();
  const second = await start({ dataFolder, programs: 'kvault@2.1.1' });
  expect(await releaseOf(second, 'kvault')).toBe('2.1.1');
  expect(await callNewInstruction(second)).toBe(UNKNOWN_INSTRUCTION);
});

test('a release that is scheduled for a slot is deployed for that slot', async () => {
  const from = 7_000_000_000n;
  const programs = `kvault@2.1.1,kvault@2.3.0:${from}`;
  const net = await start({ programs });
  expect(await releaseOf(net, 'kvault')).toBe('2.1.1');
  await net.warp({ slots: from - net.now.slot - 1n });
  expect(await callNewInstruction(net)).toBe(MISSING_ACCOUNTS);
  expect(await deployed(net, 'kvault')).toMatchObject({
    deploySlot: from - 1n,
    release: { version: '2.3.0' },
  });
});

test('the control method takes a release or base64, by name or address', async () => {
  const net = await start();
  const upgrade = (...params: readonly unknown[]) =>
    callControl(net.rpcUrl, 'tidegate_upgradeProgram', params);
  await upgrade('klend', '1.24');
  expect(await releaseOf(net, 'klend')).toBe('1.24');
  await upgrade(KLEND_PROGRAM, ['eHl6', 'base64']);
  expect(await deployed(net, 'klend')).toMatchObject({ size: 3, release: undefined });
});

test.each([
  [['token', '1.0'], 'program must be klend, kvault, farms or scope'],
  [['klend', '9.9'], 'klend@9.9'],
  [['klend', ['xyz', 'base58']], 'base58'],
])('an upgrade with %j is refused', async (params, message) => {
  const net = await start();
  const { error } = await callControl(net.rpcUrl, 'tidegate_upgradeProgram', params);
  expect(error?.message).toContain(message);
  expect(await releaseOf(net, 'klend')).toBe('1.25');
});
