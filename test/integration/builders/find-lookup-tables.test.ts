import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { addressLookupTable } from '#core/protocol/spl/layout/address-lookup-table.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenMarket, goldenReserve, goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import {
  type JsonResponse,
  readJson,
  startApi,
  statusAndBody,
} from '../../support/http/test-api.ts';

/** Tables of the golden cluster, by market or vault. */
const STEADY_VAULT = goldenVault('Steady USDC').lut;
const MAIN_MARKET = goldenMarket('Main Market').lookupTable;
const JLP_MARKET = goldenMarket('JLP Market').lookupTable;
const SOL_VAULT = goldenVault('SOL Earn').lut;

/** Some of their entries, with the tables that contain them. */
const mainUsdc = goldenReserve('Main Market', 'USDC').address; // main market, steady vault
const mainSol = goldenReserve('Main Market', 'SOL').address; // main market, SOL vault
const mainUsdt = goldenReserve('Main Market', 'USDT').address; // main market
const mainBitcoin = goldenReserve('Main Market', 'CBBTC').address; // main market, its 44th
const jlpUsdc = goldenReserve('JLP Market', 'USDC').address; // JLP market, steady vault
const jlpJlp = goldenReserve('JLP Market', 'JLP').address; // JLP market
const solVaultTokens = goldenVault('SOL Earn').allocations[0]?.ctokenVault ?? ''; // SOL vault
const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'; // all four
const unlisted = 'Vote111111111111111111111111111111111111111';

type Find = (body: unknown, query?: string) => Promise<JsonResponse>;

async function startFinder(cluster: Partial<Cluster> = {}): Promise<Find> {
  const { url } = await startApi({ clusters: goldenClusters(cluster) });
  const headers = { 'content-type': 'application/json' };
  return async (body, query = '') => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return readJson(await fetch(`${url}/luts/find-minimal${query}`, init));
  };
}

const foundTables = (...lutAddresses: Address[]) => ({ status: 200, body: { lutAddresses } });

const cases: readonly [what: string, addresses: string[], tables: Address[]][] = [
  ['addresses of one table', [mainUsdt, mainSol, mainUsdc], [MAIN_MARKET]],
  ['an address of no table', [unlisted], []],
  ['an address of a table and one of none', [jlpJlp, unlisted], [JLP_MARKET]],
  ['addresses of two tables', [mainUsdt, jlpJlp], [MAIN_MARKET, JLP_MARKET]],
  [
    'addresses for which the largest table is not part of the smallest cover',
    [mainUsdc, jlpUsdc, mainSol, solVaultTokens],
    [STEADY_VAULT, SOL_VAULT],
  ],
  ['an address of all tables: the first table by address', [tokenProgram], [STEADY_VAULT]],
  ['a repeated address', [mainUsdt, mainUsdt], [MAIN_MARKET]],
  ['a hundred addresses', Array.from({ length: 100 }, () => jlpJlp), [JLP_MARKET]],
];

test('findLookupTables: returns the fewest tables, regardless of the address order', async () => {
  const find = await startFinder();
  for (const [what, addresses, tables] of cases) {
    expect(statusAndBody(await find({ addresses })), what).toEqual(foundTables(...tables));
    const reversed = addresses.toReversed();
    expect(statusAndBody(await find({ addresses: reversed })), what).toEqual(
      foundTables(...tables),
    );
  }
});

test('verify and userAccounts have no effect', async () => {
  const find = await startFinder();
  const addresses = [mainUsdt, jlpJlp];
  for (const verify of [true, false]) {
    const more = { verify, userAccounts: [mainUsdt, unlisted] };
    const response = await find({ addresses, ...more });
    expect(statusAndBody(response)).toEqual(foundTables(MAIN_MARKET, JLP_MARKET));
  }
});

/** CBBTC's reserve is in the part of the table that was added last, USDT's is not. */
test('an address added in the current slot is not usable yet', async () => {
  const table = goldenCluster().accounts.get(MAIN_MARKET);
  if (table === undefined) throw new Error('no golden table');
  const extendedAt = addressLookupTable.decode(table).lastExtendedSlot;
  const findAt = (slot: bigint) => {
    const at = { slot: toSlot(slot), unix: toUnixSeconds(0n) };
    return startFinder({ reader: goldenReader({ at }) });
  };
  const [then, next] = [await findAt(extendedAt), await findAt(extendedAt + 1n)];
  expect(statusAndBody(await then({ addresses: [mainBitcoin] }))).toEqual(foundTables());
  expect(statusAndBody(await then({ addresses: [mainUsdt] }))).toEqual(foundTables(MAIN_MARKET));
  expect(statusAndBody(await next({ addresses: [mainBitcoin] }))).toEqual(foundTables(MAIN_MARKET));
});

test('a table that is being deactivated is not returned', async () => {
  const { at, accounts } = goldenCluster();
  const table = accounts.get(MAIN_MARKET);
  if (table === undefined) throw new Error('no golden table');
  const data = table.data.slice();
  new DataView(data.buffer).setBigUint64(4, at.slot, true);
  const reader = goldenReader(goldenWithAccounts([[MAIN_MARKET, { ...table, data }]]));
  const find = await startFinder({ reader });
  const response = await find({ addresses: [mainUsdc, mainUsdt] });
  expect(statusAndBody(response)).toEqual(foundTables(STEADY_VAULT));
});

test('a response has its slot, and a future minContextSlot returns 503', async () => {
  const find = await startFinder();
  const { slot } = goldenCluster().at;
  const body = { addresses: [mainUsdt] };
  const { status, headers } = await find(body, `?minContextSlot=${slot}`);
  expect([status, headers.get('x-slot')]).toEqual([200, String(slot)]);
  const ahead = await find(body, `?minContextSlot=${slot + 1n}`);
  expect(ahead).toMatchObject({ status: 503, body: { code: 'STALE_READ' } });
});

const badAddress = (...path: (string | number)[]) => {
  const message = `${path.join('.')} must be a base58 address of 32 bytes`;
  return { path, code: 'invalid_address', message };
};

const tooMany = (name: string) => {
  const message = `${name} must have at most 100 items`;
  return { path: [name], code: 'too_big', message, maximum: 100 };
};

const invalidType = (name: string, message: string, expected: string) => {
  return { path: [name], code: 'invalid_type', message: `${name} ${message}`, expected };
};

const tooManyAddresses = Array.from({ length: 101 }, () => mainUsdt);
const empty = { code: 'too_small', message: 'addresses must not be empty', minimum: 1 };

const invalidBodies: readonly [body: unknown, details: object[]][] = [
  [{}, [{ path: ['addresses'], code: 'required', message: 'addresses is required' }]],
  [{ addresses: [] }, [{ path: ['addresses'], ...empty }]],
  [{ addresses: tooManyAddresses }, [tooMany('addresses')]],
  [{ addresses: [mainUsdt], userAccounts: tooManyAddresses }, [tooMany('userAccounts')]],
  [{ addresses: mainUsdt }, [invalidType('addresses', 'must be an array', 'array')]],
  [
    { addresses: [mainUsdt], verify: 'true' },
    [invalidType('verify', 'must be true or false', 'boolean')],
  ],
  [{ addresses: [mainUsdt, 'abc'] }, [badAddress('addresses', 1)]],
  [
    { addresses: [null, mainUsdt, 5, 'z'.repeat(44)] },
    [badAddress('addresses', 0), badAddress('addresses', 2), badAddress('addresses', 3)],
  ],
  [{ addresses: [mainUsdt], userAccounts: [''] }, [badAddress('userAccounts', 0)]],
];

test('findLookupTables: malformed, missing or too many values return 400', async () => {
  const find = await startFinder();
  for (const [body, details] of invalidBodies) {
    expect(statusAndBody(await find(body)), JSON.stringify(body).slice(0, 60)).toEqual({
      status: 400,
      body: { error: 'Invalid body', details },
    });
  }
});
