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
/** Any addresses will do for the accounts that have the code. */
const CODES = PROGRAMS.map((_, i) => `1111111111111111111111111111111${'3456'.charAt(i)}`);

test('programs of a cluster are written into a folder, by their addresses', async () => {
  const { url } = await startServer({ DATA_DIR: temporaryFolder() });
  const { demo } = (await (await fetch(`${url}/status`)).json()) as { demo: { rpcUrl: string } };
  const put = async (address: string, data: Uint8Array) => {
    const account = {
      ...{ owner: LOADER, lamports: 10_000_000 },
      data: [Buffer.from(data).toString('base64'), 'base64'],
    };
    const body = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tidegate_setAccount', params: [address, account] },
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(demo.rpcUrl, { method: 'POST', headers, body });
    expect(await answer.json()).not.toHaveProperty('error');
  };
  for (const [i, program] of PROGRAMS.entries()) {
    const code = CODES[i] ?? '';
    await put(program, Buffer.concat([Uint8Array.of(2, 0, 0, 0), addressToBytes(toAddress(code))]));
    await put(code, Buffer.concat([new Uint8Array(45), Buffer.from(`code ${i}`)]));
  }
  const out = join(temporaryFolder(), 'programs');
  const pulled = () => runTidegate(['programs', 'pull', '--rpc', demo.rpcUrl, '--out', out]);
  // confirmed a slot after it landed
  await expect.poll(async () => (await pulled()).code, { timeout: 20_000 }).toBe(0);
  expect(readdirSync(out).sort()).toEqual(PROGRAMS.map((program) => `${program}.so`).sort());
  expect(readFileSync(join(out, `${PROGRAMS[1]}.so`), 'utf8')).toBe('code 1');
});

test('what is missing is told', async () => {
  const { code, err } = await runTidegate(['programs', 'pull', '--out', 'x']);
  expect([code, err]).toEqual([
    1,
    'tidegate: Use tidegate programs pull --rpc URL --out DIR. Run tidegate --help for usage.\n',
  ]);
  const wrong = await runTidegate(['programs', 'pull', '--rpc', 'ftp://x', '--out', 'x']);
  expect([wrong.code, wrong.err]).toEqual([
    1,
    'tidegate: --rpc is "ftp://x". It accepts an http(s) URL of a cluster.\n',
  ]);
});
