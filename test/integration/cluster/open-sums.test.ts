import { describe, expect, test } from 'vitest';
import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { startFaultyNode } from '../../support/clusters/faulty-node.ts';
import {
  LONG_POLL,
  serveCluster,
  setAccountValue,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

/** Users' accounts are compared so seldom that only a sum can find what is missing. */
const TIMING = { programsMs: 100, usersMs: 3_600_000, recheckMs: 50, sumsMs: 50 };
/** A source that has lost updates is replaced by polling. */
const SERVED = { drift: TIMING, pollSeconds: 0.2 };

type Sums = {
  readonly waitingFor: string | null;
  readonly checkedSlot: string | null;
  readonly found: number;
  readonly open: number;
  readonly first: readonly { readonly of: string; readonly account: string }[];
};

async function readSums({ get }: RunningApi): Promise<Sums> {
  const { clusters } = (await get('/status')).body as {
    readonly clusters: readonly { readonly drift: { readonly sums: Sums } }[];
  };
  const [cluster] = clusters;
  if (cluster === undefined) throw new Error('no cluster is served');
  return cluster.drift.sums;
}

async function readOpenDebts({ url }: RunningApi): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const value = /^tidegate_open_sums\{cluster="localnet",of="debts"\} (\d+)$/m.exec(metrics)?.[1];
  if (value === undefined) throw new Error('no metric of open sums');
  return Number(value);
}

const accounts = [...goldenCluster().accounts];
const staked = new Set(
  accounts.flatMap(([, account]) => {
    if (!userState.matches(account)) return [];
    const { delegatee, activeStakeScaled } = userState.view(account);
    return activeStakeScaled > 0n ? [delegatee] : [];
  }),
);
const loans = accounts.flatMap(([address, account]) => {
  if (!obligation.matches(account)) return [];
  const { borrows, deposits } = obligation.view(account);
  const owes = [...borrows].some(({ borrowReserve }) => borrowReserve !== ZERO_ADDRESS);
  const [deposit] = [...deposits].filter(({ depositedAmount }) => depositedAmount > 0n);
  return [{ address, owes, deposit, isStaked: staked.has(address) }];
});

function findLoan(matches: (loan: (typeof loans)[number]) => boolean | undefined): Address {
  const loan = loans.find(matches);
  if (loan === undefined) throw new Error('no such golden loan');
  return loan.address;
}

/** Listings and scans are without the account. */
const leavingOut =
  (address: Address) =>
  ({ method }: { readonly method: string }, result: unknown): unknown => {
    if (method !== 'getProgramAccounts') return result;
    const { context, value } = result as { context: unknown; value: { pubkey: string }[] };
    return { context, value: value.filter(({ pubkey }) => pubkey !== address) };
  };

describe('a loan that the only endpoint leaves out of every list', () => {
  test('is found by its stake when the sums do not close, and served', async () => {
    const golden = await startGoldenLocalnet();
    const node = await startFaultyNode(golden);
    const loan = findLoan(({ isStaked }) => isStaked);
    node.setFault({ alterResult: leavingOut(loan) });
    const { api } = await serveCluster(golden, { ...SERVED, nodes: [node] });
    await waitUntilReady(api);
    await expect
      .poll(async () => (await api.get(`/klend/loans/${loan}`)).status, LONG_POLL)
      .toBe(200);
    await expect.poll(() => readSums(api), LONG_POLL).toMatchObject({ open: 0, first: [] });
    expect((await readSums(api)).found).toBeGreaterThan(0);
  });

  test('stays named and marked if nothing names it, and is no more once it is read', async () => {
    const golden = await startGoldenLocalnet();
    const node = await startFaultyNode(golden);
    const loan = findLoan(({ isStaked, owes }) => !isStaked && owes);
    node.setFault({ alterResult: leavingOut(loan) });
    const { api } = await serveCluster(golden, { ...SERVED, nodes: [node] });
    await waitUntilReady(api);
    await expect
      .poll(async () => (await readSums(api)).first.map(({ of }) => of), LONG_POLL)
      .toContain('debts');
    const { headers } = await api.get('/v2/svc-market');
    expect(headers.get('x-unproven')).toBeNull();
    const other = await api.get(`/klend/loans/${findLoan(({ address }) => address !== loan)}`);
    expect(other.headers.get('x-unproven')).toMatch(
      /obligation;code=sumsDiffer;since=\d+;detail="the sum of \w+ of \w+ differs by -?\d+/,
    );
    expect(await readOpenDebts(api)).toBeGreaterThan(0);
    node.setFault({});
    // a notification of the loan arrives
    await setAccountValue(golden, { address: loan, offset: obligation.offsets.tag, value: 0n });
    await expect.poll(() => readSums(api), LONG_POLL).toMatchObject({ open: 0, first: [] });
    expect(await readOpenDebts(api)).toBe(0);
    const healed = await api.get(`/klend/loans/${loan}`);
    expect([healed.status, healed.headers.get('x-unproven')]).toEqual([200, null]);
  });
});

test('a loan whose notification is lost is found by its sum, compared and put right', async () => {
  const golden = await startGoldenLocalnet();
  const node = await startFaultyNode(golden);
  const { api, cluster } = await serveCluster(golden, { ...SERVED, nodes: [node] });
  await waitUntilReady(api);
  await expect.poll(async () => (await readSums(api)).checkedSlot, LONG_POLL).not.toBeNull();
  expect(await readSums(api)).toMatchObject({ open: 0, found: 0, waitingFor: null });
  const loan = loans.find(({ deposit }) => deposit !== undefined);
  if (loan?.deposit === undefined) throw new Error('no deposit');
  const { depositReserve, depositedAmount } = loan.deposit;
  node.setFault({ loses: (text) => text.includes(loan.address) });
  const ofReserve = cluster.reader.reserve(depositReserve);
  if (ofReserve === undefined) throw new Error('no reserve');
  const { supplyVault } = ofReserve.fields.collateral;
  const { amount } = tokenAccount.view(accountAt(golden.localnet.bank, supplyVault));
  const amountAt = offsetOfDeposit(loan.address, depositReserve);
  await setAccountValue(golden, {
    address: loan.address,
    offset: amountAt,
    value: depositedAmount + 5_000n,
  });
  await setAccountValue(golden, {
    address: supplyVault,
    offset: tokenAccount.offsets.amount,
    value: amount + 5_000n,
  });
  await expect.poll(async () => (await readSums(api)).found, LONG_POLL).toBe(1);
  await expect.poll(() => readSums(api), LONG_POLL).toMatchObject({ open: 0 });
  const [deposit] = [...(cluster.reader.obligation(loan.address)?.fields.deposits ?? [])].filter(
    (each) => each.depositReserve === depositReserve,
  );
  expect(deposit?.depositedAmount).toBe(depositedAmount + 5_000n);
});

test('cTokens that somebody sends to a vault are named, and mark nothing when no loan is missing', async () => {
  const golden = await startGoldenLocalnet();
  const { api } = await serveCluster(golden, SERVED);
  await waitUntilReady(api);
  const [, account] = accounts.find(([, each]) => reserve.matches(each)) ?? [];
  if (account === undefined) throw new Error('no reserve');
  const { supplyVault } = reserve.view(account).collateral;
  const { amount } = tokenAccount.view(accountAt(golden.localnet.bank, supplyVault));
  const offset = tokenAccount.offsets.amount;
  await setAccountValue(golden, { address: supplyVault, offset, value: amount + 7n });
  await expect
    .poll(() => readSums(api), LONG_POLL)
    .toMatchObject({ open: 1, first: [{ of: 'deposits', difference: '7', comparisons: 1 }] });
  const loan = await api.get(`/klend/loans/${findLoan(() => true)}`);
  expect([loan.status, loan.headers.get('x-unproven')]).toEqual([200, null]);
});

test('nothing is summed while loans are read per wallet, and /status says so', async () => {
  const golden = await startGoldenLocalnet();
  const options = { ...SERVED, obligations: 'on-demand' } as const;
  const { api } = await serveCluster(golden, options);
  await waitUntilReady(api);
  await expect
    .poll(() => readSums(api), LONG_POLL)
    .toMatchObject({ waitingFor: expect.stringMatching(/^all loans and stakes/), open: 0 });
  expect((await readSums(api)).checkedSlot).toBeNull();
});

type Bank = Awaited<ReturnType<typeof startGoldenLocalnet>>['localnet']['bank'];

function accountAt(bank: Bank, address: Address) {
  const account = bank.account(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  return account;
}

/** Where a loan has its deposit in a reserve, in cTokens. */
function offsetOfDeposit(loan: Address, of: Address): number {
  const [, account] = accounts.find(([address]) => address === loan) ?? [];
  if (account === undefined) throw new Error(`no loan ${loan}`);
  const { parts } = obligation.body;
  if (parts?.kind !== 'struct' || parts.shape['deposits']?.parts?.kind !== 'array') {
    throw new Error('an obligation is a struct with an array of deposits');
  }
  const index = [...obligation.view(account).deposits].findIndex(
    ({ depositReserve }) => depositReserve === of,
  );
  const { item } = parts.shape['deposits'].parts;
  return obligation.offsets.deposits + index * item.size + 32;
}
