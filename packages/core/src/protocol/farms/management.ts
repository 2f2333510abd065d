import type { Address } from '../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import type { EventSource } from '../spl/instruction-events.ts';
import { tokenMovementOf } from '../spl/token-movements.ts';
import type { Call } from '../spl/transaction/call-tree.ts';
import { farmsInstructions } from './instruction-set.ts';

/** Offsets of arguments in the data, which starts with a discriminator of 8 bytes. */
type ManagementLayout = {
  /** Index of the farm among the accounts. The first account signs. */
  readonly farm: number;
  /** Index of the account that the instruction is about. */
  readonly account?: number;
  readonly rewardIndex?: number;
  /** For an amount that no transfer shows. */
  readonly amount?: number;
  readonly movesTokens?: true;
  readonly config?: number;
};

/**
 * Instructions that manage one farm. Releases of the program order the other accounts differently, so that only those
 * at the same index in all releases are read.
 */
const layouts = {
  initializeFarm: { farm: 1 },
  initializeFarmDelegated: { farm: 2, account: 1 },
  initializeReward: { farm: 1 },
  addRewards: { farm: 1, movesTokens: true, rewardIndex: 16 },
  updateFarmConfig: { farm: 1, config: 8 },
  rewardUserOnce: { farm: 1, account: 2, rewardIndex: 8, amount: 16 },
  depositToFarmVault: { farm: 1, movesTokens: true },
  withdrawFromFarmVault: { farm: 1, movesTokens: true },
  withdrawSlashedAmount: { farm: 1, movesTokens: true },
  updateFarmAdmin: { farm: 1 },
  withdrawReward: { farm: 1, movesTokens: true, rewardIndex: 16 },
  updateSecondDelegatedAuthority: { farm: 1, account: 3 },
} as const satisfies Readonly<Record<string, ManagementLayout>>;

export type FarmManagementInstruction = keyof typeof layouts;

export type FarmManagementEvent = EventSource<'farms'> & {
  readonly kind: 'manage';
  readonly instruction: FarmManagementInstruction;
  readonly farm: Address;
  readonly signer: Address;
  /** The new delegate, the new authority, or the user state that is rewarded. */
  readonly account: Address | undefined;
  /** Moved tokens, or the reward of a user, in base units. */
  readonly amount: Lamports | undefined;
  readonly rewardIndex: number | undefined;
  readonly configMode: number | undefined;
  /** The argument after the mode. Its layout depends on the mode. */
  readonly configData: Uint8Array | undefined;
};

const isManagement = (name: string | undefined): name is FarmManagementInstruction =>
  name !== undefined && Object.hasOwn(layouts, name);

/** Undefined for another instruction, and for one without the expected accounts. */
export function readManagementEvent(call: Call): FarmManagementEvent | undefined {
  const instruction = farmsInstructions.nameOf(call.data);
  if (!isManagement(instruction)) return undefined;
  const layout: ManagementLayout = layouts[instruction];
  const signer = call.accounts[0];
  const farm = call.accounts[layout.farm];
  if (signer === undefined || farm === undefined) return undefined;
  const { account, rewardIndex, config } = layout;
  const index = rewardIndex === undefined ? undefined : u64At(call.data, rewardIndex);
  return {
    program: 'farms',
    programAddress: call.program,
    path: call.path,
    kind: 'manage',
    instruction,
    farm,
    signer,
    account: account === undefined ? undefined : call.accounts[account],
    amount: amountOf(call, layout),
    rewardIndex: index === undefined || index > MAX_REWARD_INDEX ? undefined : Number(index),
    configMode: config === undefined ? undefined : u16At(call.data, config),
    configData: config === undefined ? undefined : call.data.slice(config + 2),
  };
}

/** The program rejects indexes beyond its ten rewards. */
const MAX_REWARD_INDEX = 9n;

function amountOf(call: Call, { movesTokens, amount }: ManagementLayout): Lamports | undefined {
  if (amount !== undefined) {
    const requested = u64At(call.data, amount);
    return requested === undefined ? undefined : toLamports(requested);
  }
  if (movesTokens === undefined) return undefined;
  const movements = call.children.flatMap((child) => tokenMovementOf(child) ?? []);
  return toLamports(movements.reduce((sum, movement) => sum + movement.amount, 0n));
}

function u64At(data: Uint8Array, offset: number): bigint | undefined {
  if (data.length < offset + 8) return undefined;
  return new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true);
}

function u16At(data: Uint8Array, offset: number): number | undefined {
  if (data.length < offset + 2) return undefined;
  return new DataView(data.buffer, data.byteOffset).getUint16(offset, true);
}
