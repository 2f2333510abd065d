// Deposits into the vault of a token with the highest APY, and signs only what does exactly that.
//
//   npx tsx examples/vault-deposit.ts http://127.0.0.1:8080 http://127.0.0.1:8899 wallet.json $MINT 10
//
// The server is not trusted. The second URL is a node that is: the verifier compares with its accounts.
import { readFileSync } from 'node:fs';
import * as kit from '@solana/kit';
import { createClient, streamUpdates, unwrap } from '@tidegate/client';
import { readChainData, readLookupTables, verifyTransaction } from '@tidegate/client/verify';

const [baseUrl = '', rpcUrl = '', keyFile = '', mint = '', amount = ''] = process.argv.slice(2);
const key = Uint8Array.from(JSON.parse(readFileSync(keyFile, 'utf8')));
const signer = await kit.createKeyPairSignerFromBytes(key);
const wallet = signer.address;
const client = createClient({ baseUrl });

// discover: the vault of the token with the highest yield
const vaults = unwrap(await client.get('/kvaults/vaults'));
const rated = vaults.filter(({ state }) => state.tokenMint === mint).map(rate);
const [best] = (await Promise.all(rated)).sort((a, b) => Number(b.apy) - Number(a.apy));
if (best === undefined) throw new Error(`No vault takes ${mint}.`);
const { kvault } = best;

// preview and build
const body = { wallet, kvault, amount };
const built = unwrap(await client.post('/ktx/kvault/deposit', { query: { preview: true }, body }));
if (built.preview?.success !== true) throw new Error(built.preview?.error?.message);
const { transaction } = built;

// verify, with nothing that the server says
const request = { operation: 'vault-deposit', ...body } as const;
const lookupTables = await readLookupTables(rpcUrl, transaction);
const chainData = await readChainData(rpcUrl, request);
const checked = await verifyTransaction({ request, transaction, lookupTables, chainData });
if (checked.verdict !== 'accepted') throw new Error(JSON.stringify(checked.reasons));
for (const { explanation } of checked.instructions) console.log(explanation);

// sign; send as soon as the stream has the shares of before; wait until it has others
const unsigned = kit.getTransactionDecoder().decode(kit.getBase64Encoder().encode(transaction));
const signed = await kit.signTransaction([signer.keyPair], unsigned);
const wire = kit.getBase64EncodedWireTransaction(signed);
const rpc = kit.createSolanaRpc(rpcUrl);
let before: string | undefined;
const parameters = { path: { pubkey: wallet } };
for await (const update of streamUpdates(client, '/kvaults/users/{pubkey}/positions', parameters)) {
  if (update.kind !== 'update') continue;
  const position = update.data.find(({ vaultAddress }) => vaultAddress === kvault);
  const shares = position?.totalShares ?? '0';
  if (before !== undefined && shares !== before) break;
  if (before === undefined) await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  before = shares;
}
console.log(`${wallet} had ${before} shares of ${kvault} and has more.`);

async function rate({ address: kvault }: { readonly address: string }) {
  const metrics = client.get('/kvaults/vaults/{pubkey}/metrics', { path: { pubkey: kvault } });
  return { kvault, apy: unwrap(await metrics).apy };
}
