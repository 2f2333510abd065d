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

/** Those that were recorded with all that was called. */
const flows = flowSnapshots()
  .filter(({ flow }) => flow.transactions[0]?.rpc !== null)
  .map((placed) => ({ ...placed, name: placed.flow.name }));
/** Those of vaults, recorded without what was called. */
const others = flowSnapshots()
  .filter(({ flow }) => flow.transactions[0]?.rpc === null)
  .map((placed) => ({ ...placed, name: placed.flow.name }));
const successes = flows.filter(({ flow }) => flow.err === null);

test('most flows are recorded with their calls', () => {
  expect([flows.length, successes.length]).toEqual([40, 36]);
});

test.each(successes)(
  '$name: its native calls alone leave the recorded token accounts',
  (placed) => {
    const { flow, accounts } = placed;
    const { ran, live } = run(placed, recordedCalls(placed).flatMap(nativeCalls));
    expect(ran.error).toBeUndefined();
    const changes = live.changes();
    const ended = (address: Address) =>
      changes.has(address) ? changes.get(address) : accounts.get(address);
    const kept = [...flow.after].filter(
      ([address, after]) => isKept(accounts.get(address)) || isKept(after),
    );
    expect(kept.length).toBeGreaterThan(0);
    for (const [address, after] of kept) {
      expect([address, ended(address)]).toEqual([address, after]);
    }
  },
);

test.each(successes)('$name: native programs call and log what is recorded', (placed) => {
  const calls = recordedCalls(placed);
  const recorded = partsOf(placed.flow.transactions[0]?.logs ?? []);
  for (const [i, call] of calls.entries()) {
    if (!isNative(call)) continue;
    const before = calls.slice(0, i).flatMap(nativeCalls);
    const { ran } = run(placed, [...before, call]);
    const inner = ran.inner.get(before.length) ?? [];
    expect(inner.map(({ instruction }) => plain(instruction))).toEqual(
      descendantsOf(call).map(({ program, accounts, data }) => ({ program, accounts, data })),
    );
    expect(partsOf(ran.logs).at(-1)).toEqual(recorded[i]);
  }
});

test.each(successes)('$name: the Token program takes the recorded compute units', (placed) => {
  const { ran } = run(placed, recordedCalls(placed).flatMap(nativeCalls));
  expect(tokenUnits(ran.logs)).toEqual(tokenUnits(placed.flow.transactions[0]?.logs ?? []));
});

test.each(others)('$name: native instructions before any other log what is recorded', (placed) => {
  const { instructions, transactions } = placed.flow;
  const first = instructions.findIndex(({ programAddress }) => !programs.has(programAddress));
  expect(first).toBeGreaterThan(0);
  const { ran } = execute(placed, instructions.slice(0, first));
  expect(ran.error).toBeUndefined();
  expect(partsOf(ran.logs)).toEqual(partsOf(transactions[0]?.logs ?? []).slice(0, first));
});

test('a transfer of more than there is fails as recorded', () => {
  const placed = flows.find(({ name }) => name === '92-refused-deposit-no-funds');
  if (placed === undefined) throw new Error('no such flow');
  const { ran } = run(placed, recordedCalls(placed).flatMap(nativeCalls));
  expect(ran.error).toEqual({ InstructionError: [expect.any(Number), { Custom: 1 }] });
  expect(ran.logs).toContain('Program log: Error: insufficient funds');
});

const isKept = (account: ClusterAccount | undefined): boolean =>
  account !== undefined &&
  [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, ADDRESS_LOOKUP_TABLE_PROGRAM].includes(account.owner);

const isNative = ({ program }: Call): boolean => programs.has(program);

const recordedCalls = ({ flow }: FlowSnapshot): readonly Call[] =>
  parseTransaction(flow.transactions[0]?.rpc).calls;

/** Calls of native programs, also by others; what they call themselves follows from them. */
const nativeCalls = (call: Call): Call[] =>
  isNative(call) ? [call] : call.children.flatMap(nativeCalls);

/** The lines of each instruction of a transaction, but for those that count compute units. */
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

type Outcome = { readonly ran: ExecutionResult; readonly live: TransactionAccounts };

/** Whoever called them had signed for the accounts. */
const run = (placed: FlowSnapshot, calls: readonly Call[]): Outcome =>
  execute(
    placed,
    calls.map((call) => ({
      programAddress: call.program,
      accounts: call.accounts.map((address) => ({ address, role: SIGN_WRITE }) as const),
      data: call.data,
    })),
  );

function execute({ at, accounts }: FlowSnapshot, instructions: readonly Instruction[]): Outcome {
  const live = new TransactionAccounts({ account: (address) => accounts.get(address) });
  const ran = executeInstructions({
    ...{ programs, accounts: live, time: at, instructions, unitLimit: 1_400_000 },
  });
  return { ran, live };
}
