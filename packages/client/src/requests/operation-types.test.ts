import { expect, expectTypeOf, test } from 'vitest';
import { createClient } from '../client.ts';
import type { LoanReport, TokenInfo, UnsignedTransaction } from '../generated/operations.ts';
import type { PagedOperation } from '../pages.ts';
import type { CallArguments, PathOf } from './operation-types.ts';
import type { ApiError, Result } from './result.ts';

/** Only compiled: the types say which calls are correct. */
export async function checkTypes(): Promise<void> {
  const client = createClient({ baseUrl: 'https://api.example' });
  const loan = client.get('/klend/loans/{pubkey}', { path: { pubkey: 'x' } });
  expectTypeOf(loan).resolves.toEqualTypeOf<Result<LoanReport>>();
  expectTypeOf(client.get('/tokens-api/tokens')).resolves.toEqualTypeOf<
    Result<readonly TokenInfo[]>
  >();
  expectTypeOf(client.get('/metrics')).resolves.toEqualTypeOf<Result<string>>();
  const body = { wallet: 'w', kvault: 'v', amount: '1' };
  const built = client.post('/ktx/kvault/deposit', { query: { preview: true }, body });
  expectTypeOf(built).resolves.toEqualTypeOf<Result<UnsignedTransaction>>();
  // @ts-expect-error the path parameter is missing
  await client.get('/klend/loans/{pubkey}');
  // @ts-expect-error the body is missing
  await client.post('/ktx/kvault/deposit', {});
  // @ts-expect-error an amount is a string
  await client.post('/ktx/kvault/deposit', { body: { ...body, amount: 1 } });
  // @ts-expect-error no such operation
  await client.get('/klend/loan/{pubkey}', { path: { pubkey: 'x' } });
  // @ts-expect-error this operation has no query
  await client.get('/kvaults/vaults', { query: { limit: 1 } });
}

test('calls, answers and errors have types', () => {
  expectTypeOf<'/klend/loans/{pubkey}'>().toExtend<PathOf<'GET'>>();
  expectTypeOf<'GET /kvaults/vaults/metrics'>().toExtend<PagedOperation>();
  expectTypeOf<'POST /kvaults/transactions'>().toExtend<PagedOperation>();
  expectTypeOf<'GET /kvaults/vaults'>().not.toExtend<PagedOperation>();
  expectTypeOf<CallArguments<'GET /status'>>().toExtend<readonly [unknown?]>();
  expectTypeOf<'STALE_READ'>().toExtend<ApiError['code']>();
  expect(checkTypes).toBeTypeOf('function');
});
