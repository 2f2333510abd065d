import {
  address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
/** Account roles of kit. */
const WRITABLE = 1;
const WRITABLE_SIGNER = 3;

export const newWallet = async (): Promise<string> => (await generateKeyPairSigner()).address;

type Transfer = { readonly from: string; readonly to: string; readonly lamports: bigint };

/** A transfer of the system program: instruction 2, then the amount. */
export function kitTransfer({ from, to, lamports }: Transfer): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(lamports, 4);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: address(from), role: WRITABLE_SIGNER },
      { address: address(to), role: WRITABLE },
    ],
    data: Uint8Array.from(data),
  };
}

/** A transfer that nobody has signed, in base64. */
export async function unsignedTransfer(rpcUrl: string, transfer: Transfer): Promise<string> {
  const { value } = await createSolanaRpc(rpcUrl).getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(address(transfer.from), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(value, m),
    (m) => appendTransactionMessageInstruction(kitTransfer(transfer), m),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}
