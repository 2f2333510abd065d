import type { Subject } from '../day-one/operation-requests.ts';
import { readWalletAddress } from '../localnet/wallet-keys.ts';
import type { OpenApiDocument } from './openapi-operations.ts';
import type { RequestPool } from './openapi-requests.ts';

type Vault = { readonly address: string; readonly state: Readonly<Record<string, string>> };
type Reserve = { readonly reserve: string; readonly liquidityTokenMint: string };

const WALLETS = [0, 1, 2, 3, 4, 5];
const UNUSED_ADDRESS = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';

/** The document of a server of the embedded cluster, with addresses of all kinds that it has. */
export async function readRequestPool(url: string, dataDir: string): Promise<RequestPool> {
  const getJson = async <Body>(path: string): Promise<Body> => {
    const response = await fetch(`${url}${path}`);
    return (await response.json()) as Body;
  };
  const document = await getJson<OpenApiDocument>('/openapi.json');
  const { demo } = await getJson<{ demo: Subject }>('/status');
  const vaults = await getJson<Vault[]>('/kvaults/vaults');
  const reserves = await getJson<Reserve[]>(`/svc-market/${demo.market}/reserves/metrics`);
  const subjects: Subject[] = [];
  for (const index of WALLETS) {
    const wallet = readWalletAddress(dataDir, index);
    const [loan] = await getJson<{ obligationAddress: string }[]>(
      `/svc-market/${demo.market}/users/${wallet}/obligations`,
    );
    const positions = await getJson<{ vaultAddress: string }[]>(
      `/kvaults/users/${wallet}/positions`,
    );
    const vault = positions[0]?.vaultAddress ?? demo.vault;
    const state = vaults.find(({ address }) => address === vault)?.state;
    const { sharesMint = '', vaultFarm: farm = '' } = state ?? {};
    const { reserve = '' } = reserves[index % reserves.length] ?? {};
    const obligation = loan?.obligationAddress ?? demo.obligation;
    subjects.push({ wallet, market: demo.market, reserve, obligation, vault, sharesMint, farm });
  }
  const all = new Set([
    ...subjects.flatMap((subject) => Object.values(subject)),
    ...reserves.map(({ liquidityTokenMint }) => liquidityTokenMint),
    UNUSED_ADDRESS,
  ]);
  const transactions = await buildTransactions(url, subjects);
  return { document, subjects, transactions, addresses: { all: [...all] } };
}

/** Transactions of the builders, in base64. */
async function buildTransactions(url: string, subjects: readonly Subject[]): Promise<string[]> {
  const built: string[] = [];
  for (const { wallet, vault: kvault } of subjects) {
    const body = JSON.stringify({ wallet, kvault, amount: '0.01' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/ktx/kvault/deposit`, { method: 'POST', headers, body });
    const { transaction } = (await response.json()) as { transaction?: string };
    if (transaction !== undefined) built.push(transaction);
  }
  return built;
}
