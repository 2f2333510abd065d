import { type Address, toAddress } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { startStaticRpc } from '../test/support/fakes/static-rpc.ts';
import { type GoldenAccount, goldenCluster, readGolden } from '../test/support/golden/golden.ts';
import {
  comparisonRow,
  installPeers,
  measurePairs,
  type Pair,
  startTaskWorker,
} from './compare/compare-tasks.ts';
import type { TaskFactory } from './compare/task-worker.ts';
import { generateWallets } from './generated/generated-wallets.ts';

const OPERATIONS = [
  'deposit',
  'borrow',
  'repay',
  'withdraw',
  'vaultDeposit',
  'vaultWithdraw',
  'claim',
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** What a wallet wants, in the words of a request. */
export type BuildRequest = {
  readonly wallet: Address;
  readonly market?: Address;
  readonly reserve?: Address;
  readonly vault?: Address;
  /** Of whole tokens or shares. */
  readonly amount?: string;
};

export type BuildInput = {
  /** Of the node. */
  readonly url: string;
  readonly slot: bigint;
  readonly operations: readonly Operation[];
  readonly asks: Readonly<Record<Operation, readonly BuildRequest[]>>;
  readonly marketTables: readonly (readonly [market: Address, table: Address])[];
};

type Cluster = {
  readonly markets: readonly {
    readonly address: string;
    readonly lookupTable: string;
    readonly reserves: Readonly<Record<string, { readonly address: string }>>;
  }[];
  readonly users: readonly { readonly name: string; readonly address: string }[];
  readonly vaults: readonly { readonly address: string }[];
};

/** So many that what is derived of one is forgotten when its turn comes again. */
const WALLETS = 400;
/** The SDK remembers nothing. */
const WALLETS_OF_THE_SDK = 8;
const TARGET = 20;
/** Of amounts: the SDK overstates the interest since the last refresh by a quarter. */
const TOLERANCE = 1e-6;

const cluster = readGolden('cluster.json') as Cluster;
const { at, accounts } = goldenCluster();
/** One deposit, one debt, both with farms, and a lookup table of its own. */
const borrowers = generateWallets(wallet('alice'), accounts, WALLETS);
const savers = generateWallets(wallet('frank'), accounts, WALLETS);
const made = [...borrowers.accounts, ...savers.accounts];
const node = await startStaticRpc({ accounts: made.map(stored) });

const ours = maker('../build/tidegate-builds.ts', WALLETS);
const theirs = maker('../peers/sdk-builds.js', WALLETS_OF_THE_SDK);
try {
  installPeers();
  const ownReads = await countReads(ours, OPERATIONS);
  const otherReads = await countReads(theirs, [...OPERATIONS, ...OPERATIONS.map(keptTask)]);
  const results = await measurePairs({ ours, theirs, pairs: pairs(), check });
  console.table(
    results.map((result) => ({
      ...comparisonRow(result),
      'Tidegate/s': Math.round(1e6 / result.ours),
      'SDK/s': Math.round(1e6 / result.theirs),
      'Tidegate reads': ownReads.get(result.pair.ours) ?? '',
      'SDK reads': otherReads.get(result.pair.theirs) ?? '',
    })),
  );
  process.exitCode = results.every(({ pair, ratio }) => !(ratio < (pair.target ?? 0))) ? 0 : 1;
} finally {
  await node.stop();
}

/** Of the SDK, as its examples have it; then with all but the wallet's own accounts in memory, never read again. */
function pairs(): Pair[] {
  return [
    ...OPERATIONS.map((name) => ({ name, ours: name, theirs: name, target: TARGET })),
    ...OPERATIONS.map((name) => ({
      ...{ name: `${name}, SDK never reloads`, ours: name, theirs: keptTask(name) },
    })),
  ];
}

function keptTask(name: string): string {
  return `${name}Kept`;
}

function maker(module: string, count: number): TaskFactory {
  const [market] = cluster.markets;
  const [vault] = cluster.vaults;
  if (market === undefined || vault === undefined) throw new Error('no market or no vault');
  const { SOL, USDC } = market.reserves;
  const lent = (reserve: { address: string } | undefined, amount?: string) =>
    borrowers.wallets.slice(0, count).map((wallet) => ({
      wallet,
      market: toAddress(market.address),
      reserve: toAddress(reserve?.address ?? ''),
      ...(amount && { amount }),
    }));
  const saved = (amount: string) =>
    savers.wallets
      .slice(0, count)
      .map((wallet) => ({ wallet, vault: toAddress(vault.address), amount }));
  const input: BuildInput = {
    url: node.url.href,
    slot: at.slot,
    operations: OPERATIONS,
    asks: {
      deposit: lent(USDC, '250.5'),
      borrow: lent(USDC, '10'),
      repay: lent(USDC, '100'),
      withdraw: lent(SOL, '1.25'),
      vaultDeposit: saved('100'),
      vaultWithdraw: saved('1000'),
      claim: lent(SOL),
    },
    marketTables: cluster.markets.map(
      ({ address, lookupTable }) => [toAddress(address), toAddress(lookupTable)] as const,
    ),
  };
  return { module, name: 'buildTasks', input };
}

/** Requests for each build, counted by the node: of a wallet's first one, and of a later one where that differs. */
async function countReads(
  side: TaskFactory,
  tasks: readonly string[],
): Promise<Map<string, string>> {
  const { process, ask } = await startTaskWorker(side);
  const counted = new Map<string, string>();
  try {
    for (const task of tasks) {
      const requestsOf = async () => {
        const before = node.requests();
        const built = (await ask({ kind: 'sample', task })) as unknown[];
        // what a source asks now and then to know that its endpoint is well belongs to no build
        return Math.floor((node.requests() - before) / built.length);
      };
      const first = await requestsOf();
      const later = await requestsOf();
      counted.set(task, first === later ? `${later}` : `${later}, at first ${first}`);
    }
    return counted;
  } finally {
    process.kill();
  }
}

/** Throws unless both sides ask the same of the lending, vault and farms programs. */
function check(ours: readonly unknown[], theirs: readonly unknown[], { name }: Pair): void {
  theirs.forEach((said, index) => {
    const [own, other] = [toCalls(ours[index]), toCalls(said)];
    const isSame = (call: Call, i: number) => isSameCall(call, other[i]);
    if (own.length !== other.length || !own.every(isSame)) {
      const texts = [own, other].map((calls) => JSON.stringify(calls, undefined, 2));
      throw new Error(`${name} ${index}: ${texts.join('\nthe SDK says ')}`);
    }
  });
}

type Call = {
  /** Program, instruction and accounts. */
  readonly text: string;
  /** The first argument, if it is a number of 64 bits. */
  readonly amount: number;
};

/** What is around them differs, and is listed in test/parity/README.md: token accounts, wrapping, compute budget. */
function toCalls(built: unknown): Call[] {
  const compared: readonly string[] = [KLEND_PROGRAM, KVAULT_PROGRAM, FARMS_PROGRAM];
  return (built as readonly Instruction[])
    .filter(({ programAddress }) => compared.includes(programAddress))
    .map(({ programAddress, accounts, data }) => {
      const bytes = Buffer.from(data);
      const named = accounts.map(({ address, role }) => `${address} ${role}`);
      return {
        text: [programAddress, bytes.toString('hex', 0, 8), ...named].join(', '),
        amount: bytes.length < 16 ? 0 : Number(bytes.readBigUInt64LE(8)),
      };
    });
}

function isSameCall({ text, amount }: Call, other: Call | undefined): boolean {
  return text === other?.text && Math.abs(amount - other.amount) <= amount * TOLERANCE;
}

function wallet(name: string): Address {
  return toAddress(cluster.users.find((user) => user.name === name)?.address ?? '');
}

function stored([pubkey, { owner, lamports, data }]: [Address, GoldenAccount]) {
  return { pubkey, owner, lamports: `${lamports}`, data: Buffer.from(data).toString('base64') };
}
