import { describe, expect, test } from 'vitest';
import {
  badRequest,
  claimPaths,
  lendingBody,
  lendingPaths,
  startBuilderApi,
  vaultBody,
  vaultPaths,
} from '../../support/http/builder-requests.ts';
import { readJson, statusAndBody } from '../../support/http/test-api.ts';

/** Several requests to one server. */
const slow = { timeout: 60_000 };

const { wallet, market, reserve } = lendingBody;
const { kvault } = vaultBody;

describe('bodies', () => {
  test('missing fields are named, all of them', slow, async () => {
    const { expectRefused } = await startBuilderApi();
    const lending =
      'wallet is required; market is required; reserve is required; amount is required';
    await expectRefused(lendingPaths, {}, badRequest(lending));
    const saving = 'wallet is required; kvault is required; amount is required';
    await expectRefused(vaultPaths, {}, badRequest(saving));
    await expectRefused(claimPaths, {}, badRequest('wallet is required'));
  });

  test.each([[[]], [null], [5], ['text'], [[lendingBody]]])(
    '%j is not an object',
    slow,
    async (body) => {
      const { expectRefused } = await startBuilderApi();
      const paths = [...lendingPaths, ...vaultPaths, ...claimPaths];
      await expectRefused(paths, body, badRequest('the body must be an object'));
    },
  );

  test.each([
    'abc',
    'So1111111111111111111111111111111111111111',
    'z'.repeat(44),
    `${wallet} `,
    '',
    7,
    null,
  ])('%j is no address of anything', slow, async (text) => {
    const { expectRefused } = await startBuilderApi();
    const says = (field: string) => badRequest(`${field} must be a base58 address of 32 bytes`);
    for (const field of ['wallet', 'market', 'reserve']) {
      await expectRefused(['/ktx/klend/deposit'], { ...lendingBody, [field]: text }, says(field));
    }
    for (const field of ['wallet', 'kvault']) {
      await expectRefused(['/ktx/kvault/withdraw'], { ...vaultBody, [field]: text }, says(field));
      await expectRefused(claimPaths, { wallet, kvault, [field]: text }, says(field));
    }
  });

  test('fields that nobody knows are ignored', slow, async () => {
    const { post } = await startBuilderApi();
    const asked = [
      ['/ktx/klend/deposit', lendingBody],
      ['/ktx/kvault/deposit', vaultBody],
    ] as const;
    for (const [path, body] of asked) {
      const plain = await post(path, body);
      const more = await post(path, { ...body, kind: 'multiply', preview: true, signer: [] });
      expect(plain.status).toBe(200);
      expect(statusAndBody(more)).toEqual(statusAndBody(plain));
    }
  });

  test(
    'a field that is given twice is refused, also where one of them is hidden',
    slow,
    async () => {
      const { url } = await startBuilderApi();
      const start = JSON.stringify(lendingBody).slice(0, -1);
      for (const again of ['"amount":"1"', '"amount":"2"', '"\\u0061mount":"2"']) {
        for (const path of lendingPaths) {
          const headers = { 'content-type': 'application/json' };
          const init = { method: 'POST', headers, body: `${start},${again}}` };
          const answer = await readJson(await fetch(`${url}${path}`, init));
          expect(statusAndBody(answer)).toEqual(badRequest('amount must be given once'));
        }
      }
    },
  );

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', null])(
    'a body of type %s is 415',
    slow,
    async (type) => {
      const { url } = await startBuilderApi();
      const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
      const body = Buffer.from(JSON.stringify(lendingBody));
      const answer = await fetch(`${url}/ktx/klend/deposit`, { method: 'POST', body, headers });
      const message = 'The content type of the body is not supported. Send JSON with content-type: application/json.';
      expect(statusAndBody(await readJson(answer))).toEqual({
        status: 415,
        body: { statusCode: 415, message, error: 'Unsupported Media Type' },
      });
    },
  );

  test('rewards are of a vault or of a market, not of both and not of neither', slow, async () => {
    const { expectRefused } = await startBuilderApi();
    const claim = ['/ktx/farms/claim'];
    const both = badRequest('kvault must not be given with market or reserve');
    await expectRefused(claim, { wallet, kvault, market }, both);
    await expectRefused(claim, { wallet, kvault, reserve }, both);
    const neither = badRequest('market or kvault must be given');
    await expectRefused(claim, { wallet }, neither);
    await expectRefused(claim, { wallet, reserve }, neither);
  });

  test('a compute budget must be one that a cluster knows', slow, async () => {
    const { expectRefused } = await startBuilderApi();
    const paths = ['/ktx/klend/deposit'];
    const limits: [unknown, string][] = [
      [0, 'computeUnitLimit must be at least 1'],
      [1_400_001, 'computeUnitLimit must be at most 1400000'],
      [1.5, 'computeUnitLimit must be a whole number'],
      ['200000', 'computeUnitLimit must be a whole number'],
      [null, 'computeUnitLimit must be a whole number'],
    ];
    for (const [computeUnitLimit, message] of limits) {
      await expectRefused(paths, { ...lendingBody, computeUnitLimit }, badRequest(message));
    }
    const upTo = 'computeUnitPrice must be an integer of at most 18446744073709551615';
    const orText = 'computeUnitPrice must be a whole number, or one as text';
    const prices: [unknown, string][] = [
      [-1, 'computeUnitPrice must be at least 0'],
      [1.5, orText],
      [null, orText],
      ['-1', upTo],
      ['1.5', upTo],
      ['', upTo],
      [' 1', upTo],
      ['18446744073709551616', upTo],
      ['999999999999999999999', upTo],
      [2 ** 60, 'computeUnitPrice must be at most 9007199254740991'],
    ];
    for (const [computeUnitPrice, message] of prices) {
      await expectRefused(paths, { ...lendingBody, computeUnitPrice }, badRequest(message));
    }
  });

  test('a query that is not known is refused', slow, async () => {
    const { post } = await startBuilderApi();
    const asked = [
      ['preview=yes', 'preview must be true or false'],
      ['preview=1', 'preview must be true or false'],
      ['preview=true&preview=false', 'preview must be given once'],
      ['minContextSlot=x', 'minContextSlot must be the number of a slot'],
      ['env=devnet', 'The cluster devnet is not served. Use one of: localnet.'],
    ] as const;
    for (const [query, message] of asked) {
      const answer = await post(`/ktx/klend/deposit?${query}`, lendingBody);
      expect(statusAndBody(answer), query).toEqual(badRequest(message));
    }
  });
});
