import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { eventAuthority } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { parseLoggedCalls } from '#core/protocol/spl/transaction/call-tree.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { type FlowSnapshot, flowSnapshots } from '../../../support/flows/flow-snapshots.ts';
import { runFlow } from '../../../support/flows/run-flow.ts';
import { pinned, testPinned } from '../../../support/golden/pinned-figures.ts';
import { RECORDED_BUILD_RULES } from '../../../support/golden/recorded-build.ts';

/** The builds that the flows were recorded with. */
const programs = modelPrograms(RECORDED_BUILD_RULES);

const snapshots = flowSnapshots().filter(({ flow }) =>
  flow.instructions.some(({ programAddress }) => programAddress === KVAULT_PROGRAM),
);
const named = snapshots.map((each) => [each.flow.name, each] as const);
const done = named.filter(([, { flow }]) => flow.err === null);

testPinned('9 golden flows call the vault program, and one of them fails', () => {
  expect(named).toHaveLength(pinned.flows.vaults);
  expect(done).toHaveLength(pinned.flows.vaultsSucceeded);
});

test.each(named)('the outcome of %s matches the recording', (_, each) => {
  expect(runFlow(each, programs).error ?? null).toEqual(each.flow.err);
});

test.each(named)('after %s all accounts match the recording', (_, each) => {
  const { changes } = runFlow(each, programs);
  const finalAccount = (address: Address) =>
    changes.has(address) ? changes.get(address) : each.accounts.get(address);
  const after = [...each.flow.after].filter(([address]) => !isWallet(each, address));
  expect(after.length).toBeGreaterThan(5);
  for (const [address, recorded] of after) {
    expect([address, summarize(finalAccount(address))]).toEqual([address, summarize(recorded)]);
  }
  const others = [...changes.keys()].filter((address) => !each.flow.after.has(address));
  expect(others).toEqual([]);
});

test.each(named)('the inner calls of %s match the recording, plus events', (_, each) => {
  const { logs } = runFlow(each, programs);
  const recorded = each.flow.transactions.flatMap(
    (executed) => parseLoggedCalls(executed.logs) ?? [],
  );
  const executed = parseLoggedCalls(logs) ?? [];
  const isEvent = ({ program, height }: { program: Address; height: number }) =>
    program === KVAULT_PROGRAM && height === 2;
  expect(executed.filter((call) => !isEvent(call))).toEqual(recorded);
  const vaultCalls = recorded.filter(({ program }) => program === KVAULT_PROGRAM).length;
  expect(executed.filter(isEvent)).toHaveLength(2 * vaultCalls);
});

test.each(done)(
  'the events of %s are signed by the program and match the recorded amounts',
  (_, each) => {
    const { inner } = runFlow(each, programs);
    const events = [...inner.values()]
      .flat()
      .filter(({ instruction }) => instruction.programAddress === KVAULT_PROGRAM)
      .map(({ instruction }) => instruction);
    for (const { accounts } of events) {
      expect(accounts).toEqual([{ address: eventAuthority(), role: 2 }]);
    }
    const decodedEvents = events.map(({ data }) => decodeEvent(data));
    const shares = recordedShares(each);
    const burned = decodedEvents.filter(({ start }) => start === WITHDRAW_RESULT);
    const minted = decodedEvents.filter(({ start }) => start === DEPOSIT_RESULT);
    const sum = (values: readonly (bigint | undefined)[]) =>
      values.reduce<bigint>((total, value) => total + (value ?? 0n), 0n);
    const emitted =
      sum(minted.map(({ fields }) => fields[0])) - sum(burned.map((e) => e.fields[0]));
    expect(emitted).toBe(shares);
  },
);

const DEPOSIT_RESULT = '7b40dc0458677fcc';
const WITHDRAW_RESULT = '14bf0fe7c4316526';

/** First bytes of the event and the integers after them, decoded by hand. */
function decodeEvent(data: Uint8Array): { start: string; fields: bigint[] } {
  const bytes = Buffer.from(data);
  const count = (bytes.length - 16) / 8;
  const fields = Array.from({ length: count }, (_, i) => bytes.readBigUInt64LE(16 + 8 * i));
  return { start: bytes.subarray(8, 16).toString('hex'), fields };
}

/** Recorded change of the share supply: a number at byte 36 of the mint. */
function recordedShares({ flow }: FlowSnapshot): bigint {
  const call = flow.instructions.find(({ programAddress }) => programAddress === KVAULT_PROGRAM);
  // The share mint has index 5 in a deposit and index 8 in a withdrawal.
  const isDeposit = call?.data[0] === 0xf2;
  const address = call?.accounts[isDeposit ? 5 : 8]?.address;
  if (address === undefined) throw new Error(`${flow.name} has no shares`);
  const supply = (account: ClusterAccount | undefined) =>
    Buffer.from(account?.data ?? []).readBigUInt64LE(36);
  return supply(flow.after.get(address)) - supply(flow.before.get(address));
}

/** Wallets also pay the fee, which no program charges. */
function isWallet({ flow }: FlowSnapshot, address: Address): boolean {
  const account = flow.before.get(address) ?? flow.after.get(address);
  return account?.owner === SYSTEM_PROGRAM;
}

/** Undefined for a missing account. */
const summarize = (account: ClusterAccount | undefined) =>
  account && {
    owner: account.owner,
    lamports: account.lamports,
    data: Buffer.from(account.data).toString('base64'),
  };
