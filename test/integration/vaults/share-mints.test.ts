import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { bytesFromText } from '#core/base/encoding/bytes.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi, statusAndBody, trustProxies } from '../../support/http/test-api.ts';

const STEADY = goldenVault('Steady USDC').address;
const SHARES = goldenVault('Steady USDC').sharesMint;
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const PATH = `/kvaults/mints/${SHARES}/metadata`;

test('metadata has the token, the vault and the icon URL', async () => {
  const { get, url } = await goldenApi();
  expect((await get(PATH)).body).toEqual({
    name: 'kVault USDC Steady',
    symbol: 'kV-USDC',
    description: 'Receipt token of the Steady USDC earn vault',
    image: `${url}${PATH}/image.svg`,
  });
});

test('the icon URL of the metadata works, also for a named cluster', async () => {
  const { get } = await goldenApi();
  const { image } = (await get(`${PATH}?env=localnet`)).body as { image: string };
  expect(image).toContain('?env=localnet');
  const response = await fetch(image);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'");
  expect(await response.text()).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>$/s,
  );
});

const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.org' };

test.each([
  ['used from a trusted proxy', trustProxies('127.0.0.1'), /^https:\/\/api\.example\.org\/kvaults/],
  ['ignored from other clients', trustProxies(), /^http:\/\/127\.0\.0\.1:\d+\/kvaults/],
])('forwarded headers are %s', async (_case, trustedProxies, expected) => {
  const { get } = await startApi({ trustedProxies });
  expect((await get(PATH, forwarded)).body).toMatchObject({
    image: expect.stringMatching(expected),
  });
});

test('an invalid forwarded host is ignored', async () => {
  const { get, url } = await startApi({ trustedProxies: trustProxies('127.0.0.1') });
  for (const host of ['evil.example/"><script>', 'a b', 'x@y', '']) {
    const { body } = await get(PATH, { 'x-forwarded-host': host });
    expect(body).toMatchObject({ image: `${url}${PATH}/image.svg` });
  }
});

test('the icon escapes markup in the vault name', async () => {
  const raw = goldenCluster().accounts.get(STEADY);
  if (raw === undefined) throw new Error('no vault');
  const name = new Uint8Array(40);
  name.set(bytesFromText('</svg><script>alert(1)</script> & Co'));
  const data = vaultState.encode({ ...vaultState.decode(raw), name });
  const reader = goldenReader(goldenWithAccounts([[STEADY, { owner: raw.owner, data }]]));
  const { url } = await startApi({ clusters: goldenClusters({ reader }) });
  const svg = await (await fetch(`${url}${PATH}/image.svg`)).text();
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&lt;/svg&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; Co');
});

test('a token label of the registry overrides the on-chain symbol', async () => {
  const registry = createRegistry({ ...emptyRegistry, tokenLabels: new Map([[USDC, 'USDX']]) });
  const { get } = await startApi({ clusters: goldenClusters({ registry }) });
  expect((await get(PATH)).body).toMatchObject({ symbol: 'kV-USDX' });
});

test.each([USDC, STEADY, 'GQTt7RfzXGxCRNsVYVRfGCBDgpR8xMRtsM7PAbWiZ1g6'])(
  '%s is not a share mint and returns 404',
  async (mint) => {
    const { get } = await goldenApi();
    const body = { metadata: `There is no vault with the share mint ${mint}. Check the address.` };
    for (const path of ['metadata', 'metadata/image.svg']) {
      const response = await get(`/kvaults/mints/${mint}/${path}`);
      expect(statusAndBody(response)).toEqual({ status: 404, body });
      expect(response.headers.get('content-type')).toContain('application/json');
    }
  },
);

test.each([
  '/kvaults/mints/abc/metadata',
  '/kvaults/mints/abc/metadata/image.svg',
  `${PATH}?env=devnet`,
  `${PATH}/image.svg?env=devnet`,
])('%s returns 400', async (path) => {
  const { get } = await goldenApi();
  const { status, body } = await get(path);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: expect.any(String), details: [expect.anything()] });
});
