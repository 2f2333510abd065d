import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { u64 } from '#core/base/encoding/layout.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { createLocalCluster } from '#localnet/cluster/cluster.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { silentLog } from '../../test/support/fakes/silent-log.ts';
import { goldenCluster } from '../../test/support/golden/golden.ts';
import { generateObligations } from '../generated/generated-obligations.ts';
import { listAccounts } from './program-accounts-json.ts';

/** URLs of the server, sent to the parent process. */
export type RpcServerUrls = { readonly rpcUrl: string; readonly wsUrl: string };

/**
 * Serves the golden cluster over RPC and WebSocket with real slot times, and adds the requested number of obligations and
 * farm users. Their JSON is created once and inserted into the node's response: creating it for each scan would block the only
 * thread for longer than a client waits for a heartbeat.
 */
const LIST_START = Buffer.from('"value":[');

const { at, accounts } = goldenCluster();
const loans = [...accounts].filter(
  ([, raw]) => obligation.matches(raw) && obligation.view(raw).depositedValueSf > 0n,
);
const originals = loans.map(([, raw]) => raw);
const changing = [...loans, ...generateLoans(Number(process.argv[3] ?? 0))];
const stakes = [...accounts.values()].filter((raw) => userState.matches(raw));
const listed = [
  {
    ...kindOf(originals, obligation.discriminator),
    pieces: listAccounts({
      count: Number(process.argv[2]),
      seed: 1,
      generate: (count) => generateObligations(originals, count),
      keyOffsets: [obligation.offsets.owner],
    }),
  },
  {
    ...kindOf(stakes, userState.discriminator),
    pieces: listAccounts({
      count: Number(process.argv[4] ?? 0),
      seed: 2,
      generate: copyStakes,
      keyOffsets: [userState.offsets.owner, userState.offsets.delegatee],
    }),
  },
];
const localnet = new Localnet({
  cluster: createLocalCluster({
    accounts: new Map([...accounts, ...changing]),
    origin: at,
    seed: 'bench',
  }),
  now: Date.now,
  log: silentLog,
});
const node = await localnet.addNode(0);
localnet.bank.onSlot(refreshLoans);
localnet.start();

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('no port');
const here: RpcServerUrls = { rpcUrl: `http://127.0.0.1:${address.port}`, wsUrl: node.wsUrl };
process.send?.(here);

/** How the accounts of a kind are asked for: their program, and the filter by their first bytes. */
function kindOf([first]: readonly ClusterAccount[], discriminator: Uint8Array) {
  if (first === undefined) throw new Error('no account to start from');
  return { program: first.owner, filter: encodeBase58(discriminator) };
}

function copyStakes(count: number): ClusterAccount[] {
  return Array.from({ length: count }, (_, i) => {
    const stake = stakes[i % stakes.length];
    if (stake === undefined) throw new Error('no stake to start from');
    return { ...stake, data: stake.data.slice() };
  });
}

/** Loans that change in every slot, beside those of the golden cluster. */
function generateLoans(count: number): [Address, ClusterAccount][] {
  return generateObligations(originals, count).map(({ owner, data }, i) => {
    const address = addressFromBytes(createHash('sha256').update(`loan ${i}`).digest());
    return [address, { owner, data, lamports: 1n }];
  });
}

/** In every slot some loans change: those of the golden cluster, and as many more as the caller wants. */
function refreshLoans(): void {
  for (const [loan, account] of changing) {
    const data = account.data.slice();
    u64.encode(new DataView(data.buffer), obligation.offsets.lastUpdate, localnet.bank.slot);
    localnet.bank.setAccount(loan, { ...account, data });
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const headers = { 'content-type': 'application/json' };
  const answered = await fetch(node.rpcUrl, { method: 'POST', headers, body });
  const own = Buffer.from(await answered.arrayBuffer());
  response.writeHead(answered.status, headers);
  // A refusal has no list.
  const pieces = piecesFor(body);
  const start = pieces === undefined ? -1 : own.indexOf(LIST_START);
  if (pieces === undefined || start === -1) {
    response.end(own);
    return;
  }
  const end = start + LIST_START.length;
  response.write(own.subarray(0, end));
  for (const piece of pieces) if (!response.write(piece)) await once(response, 'drain');
  response.end(own.subarray(end));
}

type ScanConfig = {
  readonly filters?: readonly { readonly memcmp?: { readonly bytes: string } }[];
  readonly dataSlice?: { readonly length: number };
};

/** What to add to the response of the node. */
function piecesFor(body: string): Iterable<Buffer> | undefined {
  const { method, params } = JSON.parse(body) as { method: string; params: unknown[] };
  if (method !== 'getProgramAccounts') return undefined;
  const [program, config] = params as [string, ScanConfig];
  const filter = config.filters?.[0]?.memcmp?.bytes;
  const kind = listed.find((each) => each.program === program && each.filter === filter);
  const form = config.dataSlice === undefined ? 'full' : 'addressesOnly';
  return kind?.pieces.map((piece) => piece[form]);
}
