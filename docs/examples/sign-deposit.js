// Asks a running Tidegate for a deposit of a new wallet, and signs it with @solana/kit.
//
//   node docs/examples/sign-deposit.js [http://127.0.0.1:8080] [--send]
//
// Prints the signed transaction in base64. The wallet is made here and has nothing, so that a cluster refuses to run
// it; give it a key of your own, and SOL, before you send anything.

import {
  createSolanaRpc,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';

const [tidegate = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const { demo } = await (await fetch(`${tidegate}/status`)).json();
const { market, deposit, rpcUrl } = demo;
const signer = await generateKeyPairSigner();

const body = JSON.stringify({ wallet: signer.address, market, ...deposit });
const headers = { 'content-type': 'application/json' };
const answer = await fetch(`${tidegate}/ktx/klend/deposit`, { method: 'POST', headers, body });
if (!answer.ok) throw new Error((await answer.json()).message);
const { transaction } = await answer.json();
const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
const signed = await signTransaction([signer.keyPair], unsigned);
const wire = getBase64EncodedWireTransaction(signed);
const send = () => createSolanaRpc(rpcUrl).sendTransaction(wire, { encoding: 'base64' }).send();

console.log(wire);
if (process.argv.includes('--send')) console.log(await send());
