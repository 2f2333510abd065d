import type { Address } from '#core/base/encoding/address.ts';
import type { Decoded, Shape, Struct } from '#core/base/encoding/layout.ts';
import type { Account } from '#core/base/solana/account.ts';
import { type Instruction, WRITE } from '#core/base/solana/instruction.ts';
import type { ChainTime } from '#core/base/time.ts';
import { type Ran, runInstructions } from '#localnet/runtime/execute-instructions.ts';
import type { Programs } from '#localnet/runtime/program.ts';
import { LiveAccounts } from '#localnet/runtime/transaction-accounts.ts';
import type { InstructionError } from '#localnet/runtime/transaction-errors.ts';
import type { GoldenAccount, GoldenFlow } from '../golden/golden.ts';
import { instructionName, slotNames } from '../protocol/instruction-account-names.ts';
import { goldenPrograms } from './flow-calls.ts';
import { placedFlows } from './flow-snapshots.ts';

/** A recorded flow, to be run with a change. */
export type LendingScene = {
  readonly flow: GoldenFlow;
  readonly at: ChainTime;
  readonly accounts: ReadonlyMap<Address, GoldenAccount>;
  readonly instructions: readonly Instruction[];
};

const placed = placedFlows();

/** By the number of its file. */
export function lendingScene(number: string): LendingScene {
  const found = placed.find(({ flow }) => flow.name.startsWith(number));
  if (found === undefined) throw new Error(`no flow ${number}`);
  return { ...found, instructions: found.flow.instructions };
}

export type SceneRun = Ran & { readonly live: LiveAccounts };

export function runScene(scene: LendingScene, programs: Programs = goldenPrograms): SceneRun {
  const { at: time, accounts, instructions } = scene;
  const live = new LiveAccounts({ account: (address) => accounts.get(address) });
  const unitLimit = 1_400_000;
  const ran = runInstructions({ programs, accounts: live, time, instructions, unitLimit });
  return { ...ran, live };
}

/** What the run fails with: a number of a program, or an error of the cluster. */
export function endOf(
  scene: LendingScene,
  programs?: Programs,
): number | InstructionError | undefined {
  const { error } = runScene(scene, programs);
  if (error === undefined) return undefined;
  if (typeof error === 'string' || !('InstructionError' in error)) throw new Error(`${error}`);
  const [, reason] = error.InstructionError;
  return typeof reason === 'string' ? reason : reason.Custom;
}

/** The place of its last instruction of that name. */
export function placeOf({ instructions }: LendingScene, name: string): number {
  const place = instructions.findLastIndex((each) => nameOf(each) === name);
  if (place === -1) throw new Error(`no ${name}`);
  return place;
}

export function callOf(scene: LendingScene, name: string): Instruction {
  const found = scene.instructions[placeOf(scene, name)];
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

export function slotOf(scene: LendingScene, name: string, slot: string): Address {
  const call = callOf(scene, name);
  const address = call.accounts[slotNames(call).indexOf(slot)]?.address;
  if (address === undefined) throw new Error(`${name} has no ${slot}`);
  return address;
}

/** With another account in one slot of one instruction. One that was absent is writable now. */
export function withSlot(
  scene: LendingScene,
  [name, slot]: readonly [string, string],
  address: Address,
): LendingScene {
  const at = slotNames(callOf(scene, name)).indexOf(slot);
  return withCall(scene, name, (call) => ({
    ...call,
    accounts: call.accounts.map((meta, i) => {
      if (i !== at) return meta;
      return { address, role: meta.address === call.programAddress ? WRITE : meta.role };
    }),
  }));
}

/** With one instruction changed, left out, or given company. */
export function withCall(
  scene: LendingScene,
  name: string,
  change: (call: Instruction) => Instruction | readonly Instruction[],
): LendingScene {
  const place = placeOf(scene, name);
  const instructions = scene.instructions.flatMap((each, i) => (i === place ? change(each) : each));
  return { ...scene, instructions };
}

export const withoutCall = (scene: LendingScene, name: string): LendingScene =>
  withCall(scene, name, () => []);

export const withAccount = (
  scene: LendingScene,
  address: Address,
  account: GoldenAccount,
): LendingScene => ({ ...scene, accounts: new Map(scene.accounts).set(address, account) });

/** With other fields in one account. */
export function withFields<S extends Shape>(
  scene: LendingScene,
  [kind, address]: readonly [Account<S>, Address],
  change: (fields: Decoded<Struct<S>>) => Decoded<Struct<S>>,
): LendingScene {
  const account = scene.accounts.get(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  const data = kind.encode(change(kind.decode(account)));
  return withAccount(scene, address, { ...account, data });
}

function nameOf(instruction: Instruction): string {
  try {
    return instructionName(instruction);
  } catch {
    return '';
  }
}
