// Asks a running Tidegate for a deposit of the embedded cluster's demo wallet, signs it with @solana/kit and sends it.
//
//   node docs/examples/sign-deposit.js [http://127.0.0.1:8080 [.tidegate]]
//
// Prints the signature. The wallet's key is a file in the server's data folder (`DATA_DIR`), so run it on the machine of the
// server.

import { existsSync, readFileSync } from 'node:fs';
import {
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';

const [tidegate = 'http://127.0.0.1:8080', dataDir = '.tidegate'] = process.argv.slice(2);
const keyFile = `${dataDir}/localnet/keys/wallet-0.json`;
if (!existsSync(keyFile)) {
  throw new Error(`${keyFile} does not exist. Pass the DATA_DIR of the server.`);
}
const { demo } = await (await fetch(`${tidegate}/status`)).json();
const { market, deposit, rpcUrl } = demo;
const key = JSON.parse(readFileSync(keyFile, 'utf8'));
const signer = await createKeyPairSignerFromBytes(Uint8Array.from(key));
const rpc = createSolanaRpc(rpcUrl);

const body = JSON.stringify({ wallet: signer.address, market, ...deposit });
const headers = { 'content-type': 'application/json' };
const answer = await fetch(`${tidegate}/ktx/klend/deposit`, { method: 'POST', headers, body });
if (!answer.ok) throw new Error((await answer.json()).message);
const { transaction } = await answer.json();
const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
const signed = await signTransaction([signer.keyPair], unsigned);
const wire = getBase64EncodedWireTransaction(signed);
const signature = await rpc.sendTransaction(wire, { encoding: 'base64' }).send();

console.log(signature);
