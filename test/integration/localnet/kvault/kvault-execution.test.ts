import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { RULES_BEFORE_1_11 } from '#core/protocol/klend/lending-rules.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { eventAuthority } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { parseLoggedCalls } from '#core/protocol/spl/transaction/log-lines.ts';
import { createFarmsProgram } from '#localnet/programs/farms/farms-program.ts';
import { LEGACY_FARMS_RULES } from '#localnet/programs/farms/farms-rules.ts';
import { createKlendProgram } from '#localnet/programs/klend/klend-program.ts';
import { type FlowSnapshot, flowSnapshots } from '../../../support/flows/flow-snapshots.ts';
import { runFlow } from '../../../support/flows/run-flow.ts';
import { vaultPrograms } from '../../../support/vaults/vault-cluster.ts';

/** Of the builds that the flows were recorded with. */
const programs = vaultPrograms([
  [KLEND_PROGRAM, createKlendProgram(RULES_BEFORE_1_11)],
  [FARMS_PROGRAM, createFarmsProgram(LEGACY_FARMS_RULES)],
]);

const placed = flowSnapshots().filter(({ flow }) =>
  flow.instructions.some(({ programAddress }) => programAddress === KVAULT_PROGRAM),
);
const named = placed.map((each) => [each.flow.name, each] as const);
const done = named.filter(([, { flow }]) => flow.err === null);

test('9 golden flows call the vault program, and one of them is refused', () => {
  expect(named).toHaveLength(9);
  expect(done).toHaveLength(8);
});

test.each(named)('%s ends as it was recorded', (_, each) => {
  expect(runFlow(each, programs).error ?? null).toEqual(each.flow.err);
});

test.each(named)('%s leaves every account with the recorded bytes', (_, each) => {
  const { changes } = runFlow(each, programs);
  const left = (address: Address) =>
    changes.has(address) ? changes.get(address) : each.accounts.get(address);
  const after = [...each.flow.after].filter(([address]) => !isWallet(each, address));
  expect(after.length).toBeGreaterThan(5);
  for (const [address, recorded] of after) {
    expect([address, facts(left(address))]).toEqual([address, facts(recorded)]);
  }
  const others = [...changes.keys()].filter((address) => !each.flow.after.has(address));
  expect(others).toEqual([]);
});

test.each(named)('%s makes the recorded calls, and tells events beside them', (_, each) => {
  const { logs } = runFlow(each, programs);
  const recorded = each.flow.transactions.flatMap((made) => parseLoggedCalls(made.logs) ?? []);
  const made = parseLoggedCalls(logs) ?? [];
  const isEvent = ({ program, height }: { program: Address; height: number }) =>
    program === KVAULT_PROGRAM && height === 2;
  expect(made.filter((call) => !isEvent(call))).toEqual(recorded);
  const vaultCalls = recorded.filter(({ program }) => program === KVAULT_PROGRAM).length;
  expect(made.filter(isEvent)).toHaveLength(2 * vaultCalls);
});

test.each(done)(
  'the events of %s are signed by the program and tell the recorded sums',
  (_, each) => {
    const { inner } = runFlow(each, programs);
    const events = [...inner.values()]
      .flat()
      .filter(({ instruction }) => instruction.programAddress === KVAULT_PROGRAM)
      .map(({ instruction }) => instruction);
    for (const { accounts } of events) {
      expect(accounts).toEqual([{ address: eventAuthority(), role: 2 }]);
    }
    const words = events.map(({ data }) => eventWords(data));
    const shares = recordedShares(each);
    const burned = words.filter(({ start }) => start === WITHDRAW_RESULT);
    const minted = words.filter(({ start }) => start === DEPOSIT_RESULT);
    const sum = (values: readonly (bigint | undefined)[]) =>
      values.reduce<bigint>((total, value) => total + (value ?? 0n), 0n);
    const told = sum(minted.map(({ fields }) => fields[0])) - sum(burned.map((e) => e.fields[0]));
    expect(told).toBe(shares);
  },
);

const DEPOSIT_RESULT = '7b40dc0458677fcc';
const WITHDRAW_RESULT = '14bf0fe7c4316526';

/** First bytes of the event and the integers behind them, read by hand. */
function eventWords(data: Uint8Array): { start: string; fields: bigint[] } {
  const bytes = Buffer.from(data);
  const count = (bytes.length - 16) / 8;
  const fields = Array.from({ length: count }, (_, i) => bytes.readBigUInt64LE(16 + 8 * i));
  return { start: bytes.subarray(8, 16).toString('hex'), fields };
}

/** By how much the supply of the vault's shares changed in the recording: a number in the mint at byte 36. */
function recordedShares({ flow }: FlowSnapshot): bigint {
  const call = flow.instructions.find(({ programAddress }) => programAddress === KVAULT_PROGRAM);
  // A deposit has the mint of the shares at place 5, a withdrawal at place 8.
  const isDeposit = call?.data[0] === 0xf2;
  const address = call?.accounts[isDeposit ? 5 : 8]?.address;
  if (address === undefined) throw new Error(`${flow.name} has no shares`);
  const supply = (account: ClusterAccount | undefined) =>
    Buffer.from(account?.data ?? []).readBigUInt64LE(36);
  return supply(flow.after.get(address)) - supply(flow.before.get(address));
}

/** Wallets also pay the fee, which is none of the programs' business. */
function isWallet({ flow }: FlowSnapshot, address: Address): boolean {
  const account = flow.before.get(address) ?? flow.after.get(address);
  return account?.owner === SYSTEM_PROGRAM;
}

/** Undefined for none. */
const facts = (account: ClusterAccount | undefined) =>
  account && {
    owner: account.owner,
    lamports: account.lamports,
    data: Buffer.from(account.data).toString('base64'),
  };
