import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getTransactionDecoder } from '@solana/kit';
import { expect, test } from 'vitest';
import { addressToBytes, toAddress } from '../../src/base/address.ts';
import { startServer, temporaryFolder } from '../support/process.ts';

const run = promisify(execFile);

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Of an ed25519 key, in front of its 32 bytes. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

test('the guide’s lines are those of its example', () => {
  const [, lines] =
    /## Sign and send[\s\S]*?```js\n([\s\S]*?)```/.exec(read('docs/builders.md')) ?? [];
  expect(lines?.trim().split('\n').length).toBeLessThanOrEqual(10);
  expect(read('docs/examples/sign-deposit.js')).toContain(lines);
});

test('the guide’s example signs what the embedded cluster’s builder makes', async () => {
  const { url } = await startServer({ DATA_DIR: temporaryFolder() });
  await expect
    .poll(async () => (await fetch(`${url}/ready`)).status, { timeout: 20_000 })
    .toBe(200);
  const script = fileURLToPath(new URL('docs/examples/sign-deposit.js', root));
  const { stdout } = await run(process.execPath, [script, url]);
  const wire = Uint8Array.from(Buffer.from(stdout.trim(), 'base64'));
  const { messageBytes, signatures } = getTransactionDecoder().decode(wire);
  const [[wallet = '', signature] = []] = Object.entries(signatures);
  const der = Buffer.concat([SPKI_HEAD, addressToBytes(toAddress(wallet))]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  expect(Object.keys(signatures)).toHaveLength(1);
  expect(verify(null, Buffer.from(messageBytes), key, Buffer.from(signature ?? []))).toBe(true);
  expect(wire.length).toBeLessThanOrEqual(1232);
});
