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

const { wallet, market, reserve } = lendingBody;
const { kvault } = vaultBody;

describe('bodies', () => {
  test('all missing fields are listed', async () => {
    const { expectError } = await startBuilderApi();
    const lending =
      'wallet is required; market is required; reserve is required; amount is required';
    await expectError(lendingPaths, {}, badRequest(lending));
    const vaultFields = 'wallet is required; kvault is required; amount is required';
    await expectError(vaultPaths, {}, badRequest(vaultFields));
    await expectError(claimPaths, {}, badRequest('wallet is required'));
  });

  test.each([[[]], [null], [5], ['text'], [[lendingBody]]])('%j is not an object', async (body) => {
    const { expectError } = await startBuilderApi();
    const paths = [...lendingPaths, ...vaultPaths, ...claimPaths];
    await expectError(paths, body, badRequest('the body must be an object'));
  });

  test.each([
    'abc',
    'So1111111111111111111111111111111111111111',
    'z'.repeat(44),
    `${wallet} `,
    '',
    7,
    null,
  ])('%j is not an address', async (text) => {
    const { expectError } = await startBuilderApi();
    const expectedError = (field: string) =>
      badRequest(`${field} must be a base58 address of 32 bytes`);
    for (const field of ['wallet', 'market', 'reserve']) {
      await expectError(
        ['/ktx/klend/deposit'],
        { ...lendingBody, [field]: text },
        expectedError(field),
      );
    }
    for (const field of ['wallet', 'kvault']) {
      await expectError(
        ['/ktx/kvault/withdraw'],
        { ...vaultBody, [field]: text },
        expectedError(field),
      );
      await expectError(claimPaths, { wallet, kvault, [field]: text }, expectedError(field));
    }
  });

  test('unknown fields are ignored', async () => {
    const { post } = await startBuilderApi();
    const requests = [
      ['/ktx/klend/deposit', lendingBody],
      ['/ktx/kvault/deposit', vaultBody],
    ] as const;
    for (const [path, body] of requests) {
      const plain = await post(path, body);
      const more = await post(path, { ...body, kind: 'multiply', preview: true, signer: [] });
      expect(plain.status).toBe(200);
      expect(statusAndBody(more)).toEqual(statusAndBody(plain));
    }
  });

  test('a repeated field is rejected, also with an escaped name', async () => {
    const { url } = await startBuilderApi();
    const start = JSON.stringify(lendingBody).slice(0, -1);
    for (const repeated of ['"amount":"1"', '"amount":"2"', '"\\u0061mount":"2"']) {
      for (const path of lendingPaths) {
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: `${start},${repeated}}` };
        const response = await readJson(await fetch(`${url}${path}`, init));
        expect(statusAndBody(response)).toEqual(badRequest('amount must not be repeated'));
      }
    }
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', null])(
    'a body of type %s is 415',
    async (type) => {
      const { url } = await startBuilderApi();
      const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
      const body = Buffer.from(JSON.stringify(lendingBody));
      const response = await fetch(`${url}/ktx/klend/deposit`, { method: 'POST', body, headers });
      const message =
        'The content type or encoding of the body is not supported. Send JSON that is not compressed, with content-type: application/json.';
      expect(statusAndBody(await readJson(response))).toEqual({
        status: 415,
        body: { statusCode: 415, message, error: 'Unsupported Media Type' },
      });
    },
  );

  test('a claim needs either a vault or a market', async () => {
    const { expectError } = await startBuilderApi();
    const claim = ['/ktx/farms/claim'];
    const both = badRequest('kvault must not be given with market or reserve');
    await expectError(claim, { wallet, kvault, market }, both);
    await expectError(claim, { wallet, kvault, reserve }, both);
    const neither = badRequest('market or kvault must be given');
    await expectError(claim, { wallet }, neither);
    await expectError(claim, { wallet, reserve }, neither);
  });

  test('the compute budget is validated', async () => {
    const { expectError } = await startBuilderApi();
    const paths = ['/ktx/klend/deposit'];
    const limits: [unknown, string][] = [
      [0, 'computeUnitLimit must be at least 1'],
      [1_400_001, 'computeUnitLimit must be at most 1400000'],
      [1.5, 'computeUnitLimit must be an integer'],
      ['200000', 'computeUnitLimit must be an integer'],
      [null, 'computeUnitLimit must be an integer'],
    ];
    for (const [computeUnitLimit, message] of limits) {
      await expectError(paths, { ...lendingBody, computeUnitLimit }, badRequest(message));
    }
    const invalidString = 'computeUnitPrice must be an integer of at most 18446744073709551615';
    const invalidType = 'computeUnitPrice must be an integer or a string of digits';
    const prices: [unknown, string][] = [
      [-1, 'computeUnitPrice must be at least 0'],
      [1.5, invalidType],
      [null, invalidType],
      ['-1', invalidString],
      ['1.5', invalidString],
      ['', invalidString],
      [' 1', invalidString],
      ['18446744073709551616', invalidString],
      ['999999999999999999999', invalidString],
      [2 ** 60, 'computeUnitPrice must be at most 9007199254740991'],
    ];
    for (const [computeUnitPrice, message] of prices) {
      await expectError(paths, { ...lendingBody, computeUnitPrice }, badRequest(message));
    }
  });

  test('invalid query parameters are rejected', async () => {
    const { post } = await startBuilderApi();
    const requests = [
      ['preview=yes', 'preview must be true or false'],
      ['preview=1', 'preview must be true or false'],
      ['preview=true&preview=false', 'preview must not be repeated'],
      ['minContextSlot=x', 'minContextSlot must be a slot number'],
      ['env=devnet', 'The cluster devnet is not served. Use one of: localnet.'],
    ] as const;
    for (const [query, message] of requests) {
      const response = await post(`/ktx/klend/deposit?${query}`, lendingBody);
      expect(statusAndBody(response), query).toEqual(badRequest(message));
    }
  });
});
