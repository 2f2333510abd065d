import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import {
  type JsonResponse,
  readJson,
  startApi,
  statusAndBody,
} from '../../support/http/test-api.ts';

/** Tables of the golden cluster, by who names them. */
const STEADY_VAULT = toAddress('9WUMJijjCy3WD8TLM7JD95osg9gzzXoiRMceQZsE5s3a');
const MAIN_MARKET = toAddress('ArH8FrMZRnJFYSKmkzeCMTd2E3WT2GgSCVPRRckYjrS');
const JLP_MARKET = toAddress('FP7cMvKfFSaDuwoRcWKyi2AWw6Gk1PMxZQtNBXFctCHm');
const SOL_VAULT = toAddress('bHwWG1zpd9caZRuufTQKNjzj5AozuKEno5zqqcBF1hy');

/** And some of what is in them, with who else has it. */
const mainUsdc = 'EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9'; // main market, steady vault
const mainSol = '4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm'; // main market, SOL vault
const mainUsdt = 'B66k1xwDeCcgSAVhAMz9qZPxjA4wbU7phCYtQBDgQ1gS'; // main market
const mainBitcoin = '85Lqzj3CK1vmXyqLzPCX1itLwrceDdrEYk8iBw7NC3aS'; // main market, its 44th
const jlpUsdc = '6fiUy5cgqsRwHX86kHk9Xza9yPPpz5rxN7SVTG9v5jyc'; // JLP market, steady vault
const jlpJlp = 'FVMCCRa8VTAm1LrZvEFntgeFht7oXTQto4pLfos3Rgag'; // JLP market
const solVaultTokens = 'AJVq4upKMDjySnfaeQCABfA8NW13Bn816PkVvXwtxkPL'; // SOL vault
const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'; // all four
const stranger = 'Vote111111111111111111111111111111111111111';

type Find = (body: unknown, query?: string) => Promise<JsonResponse>;

async function startFinding(cluster: Partial<Cluster> = {}): Promise<Find> {
  const { url } = await startApi({ clusters: goldenClusters(cluster) });
  const headers = { 'content-type': 'application/json' };
  return async (body, query = '') => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return readJson(await fetch(`${url}/luts/find-minimal${query}`, init));
  };
}

const found = (...lutAddresses: Address[]) => ({ status: 200, body: { lutAddresses } });

const cases: readonly [what: string, addresses: string[], tables: Address[]][] = [
  ['what one table has', [mainUsdt, mainSol, mainUsdc], [MAIN_MARKET]],
  ['what nobody has', [stranger], []],
  ['what somebody and what nobody has', [jlpJlp, stranger], [JLP_MARKET]],
  ['what two have, each its own', [mainUsdt, jlpJlp], [MAIN_MARKET, JLP_MARKET]],
  [
    'what the largest table has most of, and two others have all of',
    [mainUsdc, jlpUsdc, mainSol, solVaultTokens],
    [STEADY_VAULT, SOL_VAULT],
  ],
  ['what all have: the first by address', [tokenProgram], [STEADY_VAULT]],
  ['the same address twice', [mainUsdt, mainUsdt], [MAIN_MARKET]],
  ['a hundred addresses', Array.from({ length: 100 }, () => jlpJlp), [JLP_MARKET]],
];

test('findLookupTables: the fewest tables that have all that any has, in whatever order it is asked for', async () => {
  const find = await startFinding();
  for (const [what, addresses, tables] of cases) {
    expect(statusAndBody(await find({ addresses })), what).toEqual(found(...tables));
    const reversed = addresses.toReversed();
    expect(statusAndBody(await find({ addresses: reversed })), what).toEqual(found(...tables));
  }
});

test('verify and userAccounts change nothing', async () => {
  const find = await startFinding();
  const addresses = [mainUsdt, jlpJlp];
  for (const verify of [true, false]) {
    const more = { verify, userAccounts: [mainUsdt, stranger] };
    const answer = await find({ addresses, ...more });
    expect(statusAndBody(answer)).toEqual(found(MAIN_MARKET, JLP_MARKET));
  }
});

/** The main market's table was extended last in slot 372000177, from its 41st address on. */
test('what was added in the slot of the answer is not offered yet', async () => {
  const findAt = (slot: bigint) => {
    const at = { slot: toSlot(slot), unix: toUnixSeconds(0n) };
    return startFinding({ reader: goldenReader({ at }) });
  };
  const [then, next] = [await findAt(372_000_177n), await findAt(372_000_178n)];
  expect(statusAndBody(await then({ addresses: [mainBitcoin] }))).toEqual(found());
  expect(statusAndBody(await then({ addresses: [mainUsdt] }))).toEqual(found(MAIN_MARKET));
  expect(statusAndBody(await next({ addresses: [mainBitcoin] }))).toEqual(found(MAIN_MARKET));
});

test('a table that is being deactivated is not offered', async () => {
  const { at, accounts } = goldenCluster();
  const table = accounts.get(MAIN_MARKET);
  if (table === undefined) throw new Error('no golden table');
  const data = table.data.slice();
  new DataView(data.buffer).setBigUint64(4, at.slot, true);
  const reader = goldenReader(goldenWithAccounts([[MAIN_MARKET, { ...table, data }]]));
  const find = await startFinding({ reader });
  const answer = await find({ addresses: [mainUsdc, mainUsdt] });
  expect(statusAndBody(answer)).toEqual(found(STEADY_VAULT));
});

test('an answer names its slot, and one that is not there yet is waited for, then refused', async () => {
  const find = await startFinding();
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
  const message = `${name} must have 100 items or fewer`;
  return { path: [name], code: 'too_big', message, maximum: 100 };
};

const wrongType = (name: string, message: string, expected: string) => {
  return { path: [name], code: 'invalid_type', message: `${name} ${message}`, expected };
};

const many = Array.from({ length: 101 }, () => mainUsdt);
const empty = { code: 'too_small', message: 'addresses must not be empty', minimum: 1 };

const refused: readonly [body: unknown, details: object[]][] = [
  [{}, [{ path: ['addresses'], code: 'required', message: 'addresses is required' }]],
  [{ addresses: [] }, [{ path: ['addresses'], ...empty }]],
  [{ addresses: many }, [tooMany('addresses')]],
  [{ addresses: [mainUsdt], userAccounts: many }, [tooMany('userAccounts')]],
  [{ addresses: mainUsdt }, [wrongType('addresses', 'must be an array', 'array')]],
  [
    { addresses: [mainUsdt], verify: 'true' },
    [wrongType('verify', 'must be true or false', 'boolean')],
  ],
  [{ addresses: [mainUsdt, 'abc'] }, [badAddress('addresses', 1)]],
  [
    { addresses: [null, mainUsdt, 5, 'z'.repeat(44)] },
    [badAddress('addresses', 0), badAddress('addresses', 2), badAddress('addresses', 3)],
  ],
  [{ addresses: [mainUsdt], userAccounts: [''] }, [badAddress('userAccounts', 0)]],
];

test('findLookupTables: what is malformed, missing or too much is refused as the caller’s mistake', async () => {
  const find = await startFinding();
  for (const [body, details] of refused) {
    expect(statusAndBody(await find(body)), JSON.stringify(body).slice(0, 60)).toEqual({
      status: 400,
      body: { error: 'Invalid body', details },
    });
  }
});
