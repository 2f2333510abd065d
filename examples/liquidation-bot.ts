// Liquidates the first loan of a market that can be liquidated with a profit, on the embedded cluster:
//
//   npx tsx examples/liquidation-bot.ts http://127.0.0.1:8080 liquidator.json MARKET
//
// The key file has 64 bytes as a JSON array. The wallet needs SOL for fees and the token of the debt.

import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import {
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';

type Terms = { repayReserve: string; withdrawReserve: string; profitUsdValue: string };
type Loan = { loanId: string; liquidations: [Terms] };
type Preview = { success: boolean; error: { action: string } | null };
type Built = { transaction: string; preview: Preview; message?: string };

const [tidegate = 'http://127.0.0.1:8080', keyFile = '', market = ''] = process.argv.slice(2);
const key = Uint8Array.from(JSON.parse(readFileSync(keyFile, 'utf8')));
const signer = await createKeyPairSignerFromBytes(key);
const readJson = async <T>(answer: Response) => (await answer.json()) as T;
const { demo } = await readJson<{ demo: { rpcUrl: string } }>(await fetch(`${tidegate}/status`));

for (let signature: string | undefined; signature === undefined; await setTimeout(400)) {
  const found = await fetch(`${tidegate}/klend/liquidatable?market=${market}&limit=1`);
  const [loan] = (await readJson<{ loans: Loan[] }>(found)).loans;
  signature = loan && (await liquidate(loan));
  if (signature !== undefined) console.log(signature);
}

/** Undefined if the loan cannot be liquidated any more, or if it would not pay. */
async function liquidate({ loanId: loan, liquidations: [best] }: Loan) {
  const { profitUsdValue, ...reserves } = best;
  if (Number(profitUsdValue) <= 0) return undefined;
  const { repayReserve, withdrawReserve } = reserves;
  const terms = { market, loan, repayReserve, withdrawReserve, amount: 'U64::MAX' };
  const answer = await fetch(`${tidegate}/ktx/klend/liquidate?preview=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet: signer.address, ...terms }),
  });
  const { transaction, preview, message } = await readJson<Built>(answer);
  if (!answer.ok || !preview.success) throw new Error(message ?? preview.error?.action);
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  const signed = await signTransaction([signer.keyPair], unsigned);
  const wire = getBase64EncodedWireTransaction(signed);
  return createSolanaRpc(demo.rpcUrl).sendTransaction(wire, { encoding: 'base64' }).send();
}
