import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressToBytes, toAddress } from '#core/base/encoding/address.ts';
import { runTidegate, startServer, temporaryFolder } from '../support/processes/run-tidegate.ts';

const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const PROGRAMS = [
  'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD',
  'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd',
  'FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr',
  'HFn8GnPADiny6XqUoWE8uRPPxb29ikn4yTuPa9MF2fWJ',
];
/** Arbitrary addresses of the accounts with the code. */
const CODE_ADDRESSES = PROGRAMS.map((_, i) => `1111111111111111111111111111111${'3456'.charAt(i)}`);

test('program binaries are written to files named by address', async () => {
  const { url } = await startServer();
  const { demo } = (await (await fetch(`${url}/status`)).json()) as { demo: { rpcUrl: string } };
  const setAccount = async (address: string, data: Uint8Array) => {
    const account = {
      owner: LOADER,
      lamports: 10_000_000,
      data: [Buffer.from(data).toString('base64'), 'base64'],
    };
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tidegate_setAccount',
      params: [address, account],
    });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(demo.rpcUrl, { method: 'POST', headers, body });
    expect(await response.json()).not.toHaveProperty('error');
  };
  for (const [i, program] of PROGRAMS.entries()) {
    const code = CODE_ADDRESSES[i] ?? '';
    await setAccount(
      program,
      Buffer.concat([Uint8Array.of(2, 0, 0, 0), addressToBytes(toAddress(code))]),
    );
    await setAccount(code, Buffer.concat([new Uint8Array(45), Buffer.from(`code ${i}`)]));
  }
  const out = join(temporaryFolder(), 'programs');
  const pull = () => runTidegate(['programs', 'pull', '--rpc', demo.rpcUrl, '--out', out]);
  // the accounts are confirmed one slot later
  await expect.poll(async () => (await pull()).code).toBe(0);
  expect(readdirSync(out).sort()).toEqual(PROGRAMS.map((program) => `${program}.so`).sort());
  expect(readFileSync(join(out, `${PROGRAMS[1]}.so`), 'utf8')).toBe('code 1');
});

test('missing and invalid flags are rejected with one line', async () => {
  const { code, err } = await runTidegate(['programs', 'pull', '--out', 'x']);
  expect([code, err]).toEqual([
    1,
    'tidegate: Missing flag --rpc. Run tidegate programs pull --help for usage.\n',
  ]);
  const invalid = await runTidegate(['programs', 'pull', '--rpc', 'ftp://x', '--out', 'x']);
  expect([invalid.code, invalid.err]).toEqual([
    1,
    'tidegate: --rpc is "ftp://x". It accepts an http(s) URL of a cluster.\n',
  ]);
});
