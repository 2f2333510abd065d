import type { Address } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { systemTransfer } from '#core/protocol/spl/instructions/system-program.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { standardPrograms } from '#localnet/programs/spl/standard-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { goldenCluster } from '../golden/golden.ts';
import { type GoldenLocalnet, startGoldenLocalnet } from './golden-localnet.ts';
import { namedSigner, signedWire, type TransactionFields } from './signed-transactions.ts';

export const alice = namedSigner('alice');
export const bob = namedSigner('bob');
const ALICE_LAMPORTS = 10_000_000_000n;

export type TransactingLocalnet = GoldenLocalnet & {
  /** The blockhash of the newest slot. */
  readonly latestBlockhash: () => Promise<string>;
  /** Signs a transaction, by default a transfer from alice; returns base64. */
  readonly signTransaction: (fields: Partial<TransactionFields>) => Promise<string>;
  /** Sends a transaction, closes a slot and returns the signature. */
  readonly sendAndConfirm: (fields: Partial<TransactionFields>) => Promise<string>;
};

/** The golden cluster with the standard programs, and alice with ten SOL. */
export async function startTransactingLocalnet(): Promise<TransactingLocalnet> {
  const { accounts, at } = goldenCluster();
  const wallet = { owner: SYSTEM_PROGRAM, lamports: ALICE_LAMPORTS, data: new Uint8Array() };
  const localnet = await startGoldenLocalnet('test', {
    origin: at,
    accounts: accounts.set(alice.address, wallet),
    executor: createModelExecutor(new Map(standardPrograms)),
  });
  const latestBlockhash = async () => {
    const response = await localnet.result('getLatestBlockhash', [{ commitment: 'processed' }]);
    return (response as { value: { blockhash: string } }).value.blockhash;
  };
  const signTransaction: TransactingLocalnet['signTransaction'] = async (fields) => {
    const blockhash = fields.blockhash ?? (await latestBlockhash());
    const defaults = {
      instructions: [transferInstruction(bob.address, 1_000_000n)],
      signers: [alice] as const,
    };
    return encodeBase64(signedWire({ ...defaults, blockhash, ...fields }));
  };
  return {
    ...localnet,
    latestBlockhash,
    signTransaction,
    sendAndConfirm: async (fields) => {
      const options = { encoding: 'base64', preflightCommitment: 'processed' };
      const signature = await localnet.result('sendTransaction', [
        await signTransaction(fields),
        options,
      ]);
      localnet.advanceSlots(1);
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
