import { toAddress } from '#core/base/encoding/address.ts';
import { decodeBase58 } from '#core/base/encoding/base58.ts';
import type { RawInstruction } from '#core/base/solana/instruction.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import type { GoldenFlow } from '../golden/golden.ts';

export type FarmCall = RawInstruction & {
  readonly at: ChainTime;
  /** Its inner calls, in order; undefined if not recorded. */
  readonly inner?: readonly CalledProgram[];
};

type CalledProgram = RawInstruction & { readonly program: string };

type RpcInstruction = {
  programIdIndex: number;
  accounts: number[];
  data: string;
  stackHeight?: number | null;
};
type RpcTransaction = {
  slot: number;
  blockTime: number;
  transaction: { message: { accountKeys: string[]; instructions: RpcInstruction[] } };
  meta: {
    innerInstructions: { index: number; instructions: RpcInstruction[] }[];
    loadedAddresses: { writable: string[]; readonly: string[] };
  };
};

/** Every call of the farms program in a flow, in order, inner calls included. */
export function flowFarmCalls(flow: GoldenFlow): FarmCall[] {
  return flow.transactions.flatMap(({ rpc }) =>
    rpc === null ? topLevelCalls(flow) : callsOfTransaction(rpc as RpcTransaction),
  );
}

/** The vault program was modeled, so vault flows have recorded instructions, but no transaction. */
function topLevelCalls({ instructions, at }: GoldenFlow): FarmCall[] {
  return instructions
    .filter(({ programAddress }) => programAddress === FARMS_PROGRAM)
    .map(({ data, accounts }) => ({ data, at, accounts: accounts.map(({ address }) => address) }));
}

function callsOfTransaction({ slot, blockTime, transaction, meta }: RpcTransaction): FarmCall[] {
  const { writable, readonly } = meta.loadedAddresses;
  const keys = [...transaction.message.accountKeys, ...writable, ...readonly].map(toAddress);
  const at = { slot: toSlot(BigInt(slot)), unix: toUnixSeconds(BigInt(blockTime)) };
  const calls = transaction.message.instructions
    .flatMap((top, i) => [
      { ...top, stackHeight: 1 },
      ...meta.innerInstructions.filter(({ index }) => index === i).flatMap((x) => x.instructions),
    ])
    .map(({ programIdIndex, data, accounts, stackHeight }) => ({
      program: `${keys[programIdIndex]}`,
      height: stackHeight ?? 1,
      data: decodeBase58(data) ?? new Uint8Array(),
      accounts: accounts.flatMap((index) => keys[index] ?? []),
    }));
  return calls.flatMap(({ program, height, data, accounts }, i) => {
    if (program !== FARMS_PROGRAM) return [];
    const rest = calls.slice(i + 1);
    const end = rest.findIndex((next) => next.height <= height);
    const inner = (end === -1 ? rest : rest.slice(0, end)).map((next) => ({
      program: next.program,
      data: next.data,
      accounts: next.accounts,
    }));
    return [{ at, data, accounts, inner }];
  });
}
