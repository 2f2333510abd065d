import { describe, expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { recordedSimulation, startFlowApi } from '../../support/flows/flow-api.ts';
import {
  type FlowRequest,
  flowProgramError,
  flowRequests,
} from '../../support/flows/flow-requests.ts';
import type { GoldenAccount } from '../../support/golden/golden.ts';
import type { PreviewJson } from '../../support/http/preview-json.ts';

const flows = flowRequests();
const accepted = flows.filter(({ flow }) => flow.err === null);
const rejected = flows.filter(({ flow }) => flow.err !== null);

/** Each test starts servers. */

/** For one signature. */
const FEE = 5000n;
/** In flow 01 the client also pays for an empty lookup table, which we do not create. */
const TABLE_RENT = 1_280_640n;

/** Excludes flows in which the client requests less: parts of a withdrawal, one of two rewards. */
const isSameRequest = ({ number }: FlowRequest): boolean => ![45, 46, 52].includes(number);

const NOT_EXECUTED = 'no endpoint of the cluster simulates transactions';

async function requestPreview(request: FlowRequest, changes: Partial<Cluster> = {}) {
  const { post, get } = await startFlowApi(request, changes);
  const { status, body } = await post(`${request.path}?preview=true`, request.body);
  expect(status, JSON.stringify(body)).toBe(200);
  return { get, preview: (body as { preview: PreviewJson }).preview };
}

type Accounts = ReadonlyMap<Address, GoldenAccount | undefined>;

/** Changes of the wallet's token balances in a flow, by mint. */
function recordedChanges({ flow, wallet }: FlowRequest): Map<string, string> {
  const changes = new Map<string, bigint>();
  const add = (accounts: Accounts, sign: bigint) => {
    for (const account of accounts.values()) {
      if (account === undefined || !tokenAccount.matches(account)) continue;
      const { owner, mint, amount } = tokenAccount.decode(account);
      if (owner === wallet) changes.set(mint, (changes.get(mint) ?? 0n) + sign * amount);
    }
  };
  add(flow.after, 1n);
  add(flow.before, -1n);
  const moved = [...changes].filter(([, change]) => change !== 0n);
  return new Map(moved.map(([mint, change]) => [mint, String(change)]));
}

const recordedLamports = ({ flow, wallet }: FlowRequest): bigint =>
  (flow.after.get(wallet)?.lamports ?? 0n) - (flow.before.get(wallet)?.lamports ?? 0n);

const previewedChanges = ({ tokenChanges }: PreviewJson): Map<string, string> =>
  new Map(tokenChanges.map(({ mint, change }) => [mint, change]));

describe('a preview simulated by the cluster', () => {
  test.each(accepted)('$name: has the recorded token and SOL changes', async (request) => {
    const { preview } = await requestPreview(request, {
      simulateTransaction: recordedSimulation(request),
    });
    expect(preview).toMatchObject({ simulated: true, reason: null, success: true, error: null });
    expect(preview.slot).toBe(String(request.at.slot));
    expect(preview.computeUnits).toBe(123_456);
    expect(previewedChanges(preview)).toEqual(recordedChanges(request));
    expect(preview.solChangeLamports).toBe(String(recordedLamports(request)));
    expect(preview.solChangeWithoutFeeLamports).toBe(String(recordedLamports(request) + FEE));
  });

  test.each(accepted.filter(({ path }) => path.startsWith('/ktx/klend')))(
    '$name: has the loan before and after',
    async (request) => {
      const { preview, get } = await requestPreview(request, {
        simulateTransaction: recordedSimulation(request),
      });
      const { before, after } = preview.loan ?? { before: null, after: null };
      const loan = before?.loanId ?? after?.loanId ?? '';
      const was = await get(`/klend/loans/${loan}`);
      expect(before).toEqual(was.status === 404 ? null : was.body);
      const accounts = new Map(request.accounts);
      for (const [address, account] of request.flow.after) {
        if (account === undefined) accounts.delete(address);
        else accounts.set(address, account);
      }
      const later = await startFlowApi({ ...request, accounts });
      const is = await later.get(`/klend/loans/${loan}`);
      expect(after).toEqual(is.status === 404 ? null : is.body);
    },
  );

  test.each(rejected)('$name: has the recorded program error', async (request) => {
    const { preview } = await requestPreview(request, {
      simulateTransaction: recordedSimulation(request),
    });
    const [instructionIndex, code] = flowProgramError(request.flow) ?? [];
    expect(preview).toMatchObject({ simulated: true, success: false, tokenChanges: [] });
    expect(preview.error).toMatchObject({ instructionIndex, code });
    expect(preview.solChangeLamports).toBe('-5000');
    expect(preview.loan?.after ?? null).toBe(null);
  });

  test('a program error has its name and meaning', async () => {
    const request = rejected.find(({ number }) => number === 90);
    if (request === undefined) throw new Error('no such flow');
    const { preview } = await requestPreview(request, {
      simulateTransaction: recordedSimulation(request),
    });
    expect(preview.error).toMatchObject({
      program: 'klend',
      programAddress: 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD',
      code: 6013,
      name: 'BorrowTooLarge',
      message: expect.stringMatching(
        /^Borrow amount too large for deposited collateral\. Needed: [\d.]+ USD; available: [\d.]+ USD; missing: /,
      ),
      instructionIndex: 5,
    });
  });
});

describe('a preview by the local simulation', () => {
  test.each(accepted.filter(isSameRequest))('$name: matches the recording', async (request) => {
    const { preview } = await requestPreview(request);
    expect(preview).toMatchObject({ simulated: false, reason: NOT_EXECUTED, success: true });
    expect(preview).toMatchObject({ error: null, computeUnits: null, feeLamports: '5000' });
    expect(previewedChanges(preview)).toEqual(recordedChanges(request));
    const rent = request.number === 1 ? TABLE_RENT : 0n;
    expect(BigInt(preview.solChangeLamports)).toBe(recordedLamports(request) + rent);
    const { preview: simulated } = await requestPreview(request, {
      simulateTransaction: recordedSimulation(request),
    });
    const ltv = ({ loan }: PreviewJson) => loan?.after?.loanInfo.currentLtv ?? -1;
    expect(ltv(preview)).toBeCloseTo(ltv(simulated), 9);
    expect(preview.loan?.before).toEqual(simulated.loan?.before);
  });

  test.each(rejected)('$name: has the same program error', async (request) => {
    const { preview } = await requestPreview(request);
    const [, code] = flowProgramError(request.flow) ?? [];
    expect(preview).toMatchObject({ simulated: false, success: false, tokenChanges: [] });
    expect(preview.error).toMatchObject({ code, instructionIndex: null });
  });
});
