import { type Address, toAddress } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { goldenCluster, readGolden } from '../test/support/golden/golden.ts';
import { startGoldenNode } from '../test/support/golden/golden-node.ts';
import {
  comparisonRow,
  hasPeers,
  installPeers,
  measureOursOnly,
  measurePairs,
  type Pair,
  startTaskWorker,
} from './compare/compare-tasks.ts';
import type { TaskFactory } from './compare/task-worker.ts';
import { generateWallets } from './generated/generated-wallets.ts';
import { reportBudget, sized } from './smoke.ts';

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

/** A request of a wallet. */
export type BuildRequest = {
  readonly wallet: Address;
  readonly market?: Address;
  readonly reserve?: Address;
  readonly vault?: Address;
  /** In whole tokens or shares. */
  readonly amount?: string;
};

export type BuildInput = {
  /** URL of the node. */
  readonly url: string;
  readonly slot: bigint;
  readonly operations: readonly Operation[];
  readonly requests: Readonly<Record<Operation, readonly BuildRequest[]>>;
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

/** Enough that caches have evicted a wallet's addresses when its turn comes again. */
const WALLETS = sized(400, 8);
/** The SDK caches nothing. */
const SDK_WALLETS = 8;
const TARGET = 20;
/** Relative, of amounts: the SDK overstates the interest since the last refresh by a quarter. */
const TOLERANCE = 1e-6;

const cluster = readGolden('cluster.json') as Cluster;
const { at, accounts } = goldenCluster();
/** Has one deposit and one debt, both with farms, and its own lookup table. */
const borrowers = generateWallets(wallet('alice'), accounts, WALLETS);
const savers = generateWallets(wallet('frank'), accounts, WALLETS);
const made = [...borrowers.accounts, ...savers.accounts];
const node = await startGoldenNode({
  accounts: made.map(([address, account]) => ({ address, account })),
});

const ours = maker('../build/tidegate-builds.ts', WALLETS);
const theirs = maker('../peers/sdk-builds.js', SDK_WALLETS);
try {
  if (hasPeers()) await compareWithSdk();
  else await measureOursOnly({ ours, theirs, pairs: pairs(), check });
} finally {
  node.stop();
}

async function compareWithSdk(): Promise<void> {
  installPeers();
  const ownReads = await countReads(ours, OPERATIONS);
  const otherReads = await countReads(theirs, [...OPERATIONS, ...OPERATIONS.map(cachedTask)]);
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
  reportBudget(results.every(({ pair, ratio }) => !(ratio < (pair.target ?? 0))));
}

/** The SDK as in its examples, then with everything but the wallet's own accounts cached. */
function pairs(): Pair[] {
  return [
    ...OPERATIONS.map((name) => ({ name, ours: name, theirs: name, target: TARGET })),
    ...OPERATIONS.map((name) => ({
      name: `${name}, SDK never reloads`,
      ours: name,
      theirs: cachedTask(name),
    })),
  ];
}

function cachedTask(name: string): string {
  return `${name}Cached`;
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
    requests: {
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

/** RPC requests per build, counted by the node: for a wallet's first build, and for later ones if that differs. */
async function countReads(
  side: TaskFactory,
  tasks: readonly string[],
): Promise<Map<string, string>> {
  const { process, request } = await startTaskWorker(side);
  const counted = new Map<string, string>();
  try {
    for (const task of tasks) {
      const requestsOf = async () => {
        const before = node.requests();
        const built = (await request({ kind: 'sample', task })) as unknown[];
        // health checks of the endpoint belong to no build
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

/** Throws unless both sides call the lending, vault and farms programs in the same way. */
function check(ours: readonly unknown[], theirs: readonly unknown[], { name }: Pair): void {
  theirs.forEach((built, index) => {
    const [own, other] = [toCalls(ours[index]), toCalls(built)];
    const isSame = (call: Call, i: number) => isSameCall(call, other[i]);
    if (own.length !== other.length || !own.every(isSame)) {
      const texts = [own, other].map((calls) => JSON.stringify(calls, undefined, 2));
      throw new Error(`${name} ${index}: ${texts.join('\nthe SDK builds ')}`);
    }
  });
}

type Call = {
  /** Program, instruction and accounts. */
  readonly text: string;
  /** The first argument, if it has 64 bits. */
  readonly amount: number;
};

/** The surrounding instructions differ as test/parity/README.md lists: token accounts, wrapping, compute budget. */
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
