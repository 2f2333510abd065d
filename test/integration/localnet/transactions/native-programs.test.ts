import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type Instruction, SIGN_WRITE } from '#core/base/solana/instruction.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import { type Call, descendantsOf } from '#core/protocol/spl/transaction/call-tree.ts';
import { parseTransaction } from '#core/protocol/spl/transaction/transaction.ts';
import { standardPrograms } from '#localnet/programs/spl/standard-programs.ts';
import {
  type ExecutionResult,
  executeInstructions,
} from '#localnet/runtime/execute-instructions.ts';
import { TransactionAccounts } from '#localnet/runtime/transaction-accounts.ts';
import { type FlowSnapshot, flowSnapshots } from '../../../support/flows/flow-snapshots.ts';

const programs = new Map(standardPrograms);

/** Flows recorded with inner instructions. */
const flows = flowSnapshots()
  .filter(({ flow }) => flow.transactions[0]?.rpc !== null)
  .map((snapshot) => ({ ...snapshot, name: snapshot.flow.name }));
/** Vault flows, recorded without inner instructions. */
const others = flowSnapshots()
  .filter(({ flow }) => flow.transactions[0]?.rpc === null)
  .map((snapshot) => ({ ...snapshot, name: snapshot.flow.name }));
const successes = flows.filter(({ flow }) => flow.err === null);

test('most flows are recorded with inner instructions', () => {
  expect([flows.length, successes.length]).toEqual([40, 36]);
});

test.each(successes)(
  '$name: its native calls alone produce the recorded token accounts',
  (snapshot) => {
    const { flow, accounts } = snapshot;
    const { result, live } = run(snapshot, recordedCalls(snapshot).flatMap(nativeCalls));
    expect(result.error).toBeUndefined();
    const changes = live.changes();
    const ended = (address: Address) =>
      changes.has(address) ? changes.get(address) : accounts.get(address);
    const retained = [...flow.after].filter(
      ([address, after]) => isUnchanged(accounts.get(address)) || isUnchanged(after),
    );
    expect(retained.length).toBeGreaterThan(0);
    for (const [address, after] of retained) {
      expect([address, ended(address)]).toEqual([address, after]);
    }
  },
);

test.each(successes)('$name: native programs call and log as recorded', (snapshot) => {
  const calls = recordedCalls(snapshot);
  const recorded = partsOf(snapshot.flow.transactions[0]?.logs ?? []);
  for (const [i, call] of calls.entries()) {
    if (!isNative(call)) continue;
    const before = calls.slice(0, i).flatMap(nativeCalls);
    const { result } = run(snapshot, [...before, call]);
    const inner = result.inner.get(before.length) ?? [];
    expect(inner.map(({ instruction }) => plain(instruction))).toEqual(
      descendantsOf(call).map(({ program, accounts, data }) => ({ program, accounts, data })),
    );
    expect(partsOf(result.logs).at(-1)).toEqual(recorded[i]);
  }
});

test.each(successes)('$name: the Token program consumes the recorded compute units', (snapshot) => {
  const { result } = run(snapshot, recordedCalls(snapshot).flatMap(nativeCalls));
  expect(tokenUnits(result.logs)).toEqual(tokenUnits(snapshot.flow.transactions[0]?.logs ?? []));
});

test.each(others)('$name: native instructions before any other log as recorded', (snapshot) => {
  const { instructions, transactions } = snapshot.flow;
  const first = instructions.findIndex(({ programAddress }) => !programs.has(programAddress));
  expect(first).toBeGreaterThan(0);
  const { result } = execute(snapshot, instructions.slice(0, first));
  expect(result.error).toBeUndefined();
  expect(partsOf(result.logs)).toEqual(partsOf(transactions[0]?.logs ?? []).slice(0, first));
});

test('a transfer above the balance fails as recorded', () => {
  const snapshot = flows.find(({ name }) => name === '92-refused-deposit-no-funds');
  if (snapshot === undefined) throw new Error('no such flow');
  const { result } = run(snapshot, recordedCalls(snapshot).flatMap(nativeCalls));
  expect(result.error).toEqual({ InstructionError: [expect.any(Number), { Custom: 1 }] });
  expect(result.logs).toContain('Program log: Error: insufficient funds');
});

const isUnchanged = (account: ClusterAccount | undefined): boolean =>
  account !== undefined &&
  [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, ADDRESS_LOOKUP_TABLE_PROGRAM].includes(account.owner);

const isNative = ({ program }: Call): boolean => programs.has(program);

const recordedCalls = ({ flow }: FlowSnapshot): readonly Call[] =>
  parseTransaction(flow.transactions[0]?.rpc).calls;

/** Calls of native programs, also by other programs; their own inner calls follow from them. */
const nativeCalls = (call: Call): Call[] =>
  isNative(call) ? [call] : call.children.flatMap(nativeCalls);

/** The log lines of each instruction, without compute units. */
function partsOf(logs: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (const line of logs) {
    if (line.endsWith(' invoke [1]')) parts.push([]);
    if (!line.endsWith(' compute units')) parts.at(-1)?.push(line);
  }
  return parts;
}

/** `consumed 105` of each call of the Token program. */
const tokenUnits = (logs: readonly string[]): (string | undefined)[] =>
  logs
    .filter((line) => line.startsWith(`Program ${TOKEN_PROGRAM} consumed `))
    .map((line) => line.split(' ')[3]);

const plain = ({ programAddress, accounts, data }: Instruction) => ({
  program: programAddress,
  accounts: accounts.map(({ address }) => address),
  data,
});

type Outcome = { readonly result: ExecutionResult; readonly live: TransactionAccounts };

/** The callers had signed for the accounts. */
const run = (snapshot: FlowSnapshot, calls: readonly Call[]): Outcome =>
  execute(
    snapshot,
    calls.map((call) => ({
      programAddress: call.program,
      accounts: call.accounts.map((address) => ({ address, role: SIGN_WRITE }) as const),
      data: call.data,
    })),
  );

function execute({ at, accounts }: FlowSnapshot, instructions: readonly Instruction[]): Outcome {
  const live = new TransactionAccounts({ account: (address) => accounts.get(address) });
  const result = executeInstructions({
    programs,
    accounts: live,
    time: at,
    instructions,
    unitLimit: 1_400_000,
  });
  return { result, live };
}
