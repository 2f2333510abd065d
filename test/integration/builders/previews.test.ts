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
const refused = flows.filter(({ flow }) => flow.err !== null);

/** Servers are started in each. */
const slow = { timeout: 30_000 };

/** Of one signature. */
const FEE = 5000n;
/** The client of flow 01 pays it for an empty lookup table, which we do not create. */
const TABLE_RENT = 1_280_640n;

/** Not those of which the client asks for less: parts of a withdrawal, and one of two rewards. */
const isSame = ({ number }: FlowRequest): boolean => ![45, 46, 52].includes(number);

const NOT_EXECUTED = 'no endpoint of the cluster simulates transactions';

async function ask(asked: FlowRequest, changes: Partial<Cluster> = {}) {
  const { post, get } = await startFlowApi(asked, changes);
  const { status, body } = await post(`${asked.path}?preview=true`, asked.body);
  expect(status, JSON.stringify(body)).toBe(200);
  return { get, preview: (body as { preview: PreviewJson }).preview };
}

type Accounts = ReadonlyMap<Address, GoldenAccount | undefined>;

/** What a flow did to the wallet's tokens, by mint. */
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

const told = ({ tokenChanges }: PreviewJson): Map<string, string> =>
  new Map(tokenChanges.map(({ mint, change }) => [mint, change]));

describe('a preview that the cluster has run', () => {
  test.each(accepted)('$name: tokens and SOL change as they did', slow, async (asked) => {
    const { preview } = await ask(asked, { simulateTransaction: recordedSimulation(asked) });
    expect(preview).toMatchObject({ simulated: true, reason: null, success: true, error: null });
    expect(preview.slot).toBe(String(asked.at.slot));
    expect(preview.computeUnits).toBe(123_456);
    expect(told(preview)).toEqual(recordedChanges(asked));
    expect(preview.solChangeLamports).toBe(String(recordedLamports(asked)));
    expect(preview.solChangeWithoutFeeLamports).toBe(String(recordedLamports(asked) + FEE));
  });

  test.each(accepted.filter(({ path }) => path.startsWith('/ktx/klend')))(
    '$name: the loan is told as it was and as it is then',
    slow,
    async (asked) => {
      const { preview, get } = await ask(asked, { simulateTransaction: recordedSimulation(asked) });
      const { before, after } = preview.loan ?? { before: null, after: null };
      const loan = before?.loanId ?? after?.loanId ?? '';
      const was = await get(`/klend/loans/${loan}`);
      expect(before).toEqual(was.status === 404 ? null : was.body);
      const accounts = new Map(asked.accounts);
      for (const [address, account] of asked.flow.after) {
        if (account === undefined) accounts.delete(address);
        else accounts.set(address, account);
      }
      const later = await startFlowApi({ ...asked, accounts });
      const is = await later.get(`/klend/loans/${loan}`);
      expect(after).toEqual(is.status === 404 ? null : is.body);
    },
  );

  test.each(refused)('$name: the program’s own refusal', slow, async (asked) => {
    const { preview } = await ask(asked, { simulateTransaction: recordedSimulation(asked) });
    const [instructionIndex, code] = flowProgramError(asked.flow) ?? [];
    expect(preview).toMatchObject({ simulated: true, success: false, tokenChanges: [] });
    expect(preview.error).toMatchObject({ instructionIndex, code });
    expect(preview.solChangeLamports).toBe('-5000');
    expect(preview.loan?.after ?? null).toBe(null);
  });

  test('a refusal has its name and what it means', slow, async () => {
    const asked = refused.find(({ number }) => number === 90);
    if (asked === undefined) throw new Error('no such flow');
    const { preview } = await ask(asked, { simulateTransaction: recordedSimulation(asked) });
    expect(preview.error).toEqual({
      program: 'klend',
      programAddress: 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD',
      code: 6013,
      name: 'BorrowTooLarge',
      message: 'Borrow amount too large for deposited collateral',
      instructionIndex: 5,
    });
  });
});

describe('a preview by our own model, where nothing is executed', () => {
  test.each(accepted.filter(isSame))('$name: as the cluster did it', slow, async (asked) => {
    const { preview } = await ask(asked);
    expect(preview).toMatchObject({ simulated: false, reason: NOT_EXECUTED, success: true });
    expect(preview).toMatchObject({ error: null, computeUnits: null, feeLamports: '5000' });
    expect(told(preview)).toEqual(recordedChanges(asked));
    const rent = asked.number === 1 ? TABLE_RENT : 0n;
    expect(BigInt(preview.solChangeLamports)).toBe(recordedLamports(asked) + rent);
    const { preview: simulated } = await ask(asked, {
      simulateTransaction: recordedSimulation(asked),
    });
    const ltv = ({ loan }: PreviewJson) => loan?.after?.loanInfo.currentLtv ?? -1;
    expect(ltv(preview)).toBeCloseTo(ltv(simulated), 9);
    expect(preview.loan?.before).toEqual(simulated.loan?.before);
  });

  test.each(refused)('$name: the same refusal', slow, async (asked) => {
    const { preview } = await ask(asked);
    const [, code] = flowProgramError(asked.flow) ?? [];
    expect(preview).toMatchObject({ simulated: false, success: false, tokenChanges: [] });
    expect(preview.error).toMatchObject({ code, instructionIndex: null });
  });
});
