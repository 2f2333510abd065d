import type { Address } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { systemTransfer } from '#core/protocol/spl/instructions/system-transfer.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { standardPrograms } from '#localnet/programs/spl/standard-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { goldenCluster } from '../golden/golden.ts';
import { type GoldenLocalnet, startGoldenLocalnet } from './golden-localnet.ts';
import { namedSigner, signedWire, type TransactionFields } from './signed-transactions.ts';

export const alice = namedSigner('alice');
export const bob = namedSigner('bob');
const ALICE_HAS = 10_000_000_000n;

export type TransactingLocalnet = GoldenLocalnet & {
  /** The blockhash of the newest slot. */
  readonly latestBlockhash: () => Promise<string>;
  /** Of alice, unless others are named; signed, in base64. */
  readonly signTransaction: (asked: Partial<TransactionFields>) => Promise<string>;
  /** Sends it and lets a slot pass; its signature. */
  readonly sendAndConfirm: (asked: Partial<TransactionFields>) => Promise<string>;
};

/** The golden cluster with the programs that every cluster has, and alice, who has ten SOL. */
export async function startTransactingLocalnet(): Promise<TransactingLocalnet> {
  const { accounts, at } = goldenCluster();
  const wallet = { owner: SYSTEM_PROGRAM, lamports: ALICE_HAS, data: new Uint8Array() };
  const net = await startGoldenLocalnet('test', {
    origin: at,
    accounts: accounts.set(alice.address, wallet),
    executor: createModelExecutor(new Map(standardPrograms)),
  });
  const latestBlockhash = async () => {
    const answer = await net.result('getLatestBlockhash', [{ commitment: 'processed' }]);
    return (answer as { value: { blockhash: string } }).value.blockhash;
  };
  const signTransaction: TransactingLocalnet['signTransaction'] = async (asked) => {
    const blockhash = asked.blockhash ?? (await latestBlockhash());
    const whole = {
      instructions: [transferInstruction(bob.address, 1_000_000n)],
      signers: [alice] as const,
    };
    return encodeBase64(signedWire({ ...whole, blockhash, ...asked }));
  };
  return {
    ...net,
    latestBlockhash,
    signTransaction,
    sendAndConfirm: async (asked) => {
      const options = { encoding: 'base64', preflightCommitment: 'processed' };
      const signature = await net.result('sendTransaction', [await signTransaction(asked), options]);
      net.advanceSlots(1);
      return signature as string;
    },
  };
}

export const transferInstruction = (
  to: Address,
  lamports: bigint,
  from = alice.address,
): Instruction =>
  systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from, to },
    args: { lamports: toLamports(lamports) },
  });

export const memoInstruction = (text: string): Instruction => ({
  programAddress: MEMO_PROGRAM,
  accounts: [],
  data: Uint8Array.from(Buffer.from(text)),
});
