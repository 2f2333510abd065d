import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import type { Instruction, Role } from '#core/base/solana/instruction.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';

const builtIn = new URL('../../fixtures/golden/', import.meta.url);
const customFolder = process.env['GOLDEN_FIXTURES'];

/** `GOLDEN_FIXTURES` sets the folder of another data set in the same format. */
const folder = customFolder ? pathToFileURL(join(resolve(customFolder), sep)) : builtIn;

/** Whether the tests use the data set of this repository. Some tests assert its exact values. */
export const isBuiltInGolden = folder.pathname === builtIn.pathname;

/** An account with its lamports. */
export type GoldenAccount = RawAccount & { readonly lamports: bigint };

export type GoldenFlow = {
  readonly seq: number;
  readonly name: string;
  readonly operation: string;
  /** The time before the flow. Its transaction runs in this slot. */
  readonly at: ChainTime;
  readonly instructions: readonly Instruction[];
  readonly transactions: readonly GoldenTransaction[];
  readonly err: unknown;
  /** Undefined if the account does not exist. */
  readonly before: ReadonlyMap<Address, GoldenAccount | undefined>;
  readonly after: ReadonlyMap<Address, GoldenAccount | undefined>;
  /** The parsed file, for other fields. */
  readonly raw: Readonly<Record<string, unknown>>;
};

type GoldenTransaction = {
  /** The signed transaction in base64. */
  readonly wire: string;
  /** The addresses of its lookup tables. */
  readonly luts: readonly string[];
  readonly logs: readonly string[];
  /** The RPC response of `getTransaction`. */
  readonly rpc: unknown;
};

export function readGolden(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

type AccountsFile = {
  slot: string;
  unix: string;
  accounts: { pubkey: string; owner: string; lamports: string; data: string }[];
};

type GoldenCluster = { at: ChainTime; accounts: Map<Address, GoldenAccount> };

let parsedCluster: GoldenCluster | undefined;

/** The cluster before the first flow. A test may change what it gets. */
export function goldenCluster(): GoldenCluster {
  parsedCluster ??= parseCluster();
  const { at, accounts } = parsedCluster;
  const copies = Array.from(accounts, ([address, account]) => {
    return [address, { ...account, data: account.data.slice() }] as const;
  });
  return { at: { ...at }, accounts: new Map(copies) };
}

function parseCluster(): GoldenCluster {
  const file = readGolden('accounts.json') as AccountsFile;
  const accounts = file.accounts.map(({ pubkey, owner, lamports, data }) => {
    const account: GoldenAccount = {
      owner: toAddress(owner),
      lamports: BigInt(lamports),
      data: copyOf(Buffer.from(data, 'base64')),
    };
    return [toAddress(pubkey), account] as const;
  });
  return { at: chainTime(file), accounts: new Map(accounts) };
}

type StateFile = { owner: string; lamports: string; dataGz: string };

type FlowFile = {
  seq: number;
  name: string;
  operation: string;
  at: { slot: string; unix: string };
  err: unknown;
  instructions: {
    program: string;
    accounts: { address: string; role: Role }[];
    data: string;
  }[];
  txs: GoldenTransaction[];
  accounts: Record<string, { before: StateFile | null; after: StateFile | null | 'same' }>;
};

/** All flows in execution order. */
export function goldenFlows(): GoldenFlow[] {
  return readdirSync(new URL('flows/', folder))
    .filter((name) => /^\d\d-/.test(name))
    .map(goldenFlow)
    .sort((a, b) => a.seq - b.seq);
}

export function goldenFlow(fileName: string): GoldenFlow {
  const raw = readGolden(`flows/${fileName}`) as Record<string, unknown>;
  const file = raw as FlowFile;
  const before = new Map<Address, GoldenAccount | undefined>();
  const after = new Map<Address, GoldenAccount | undefined>();
  for (const [address, change] of Object.entries(file.accounts)) {
    const old = stateOf(change.before);
    before.set(toAddress(address), old);
    after.set(toAddress(address), change.after === 'same' ? old : stateOf(change.after));
  }
  return {
    seq: file.seq,
    name: file.name,
    operation: file.operation,
    at: chainTime(file.at),
    instructions: file.instructions.map(({ program, accounts, data }) => ({
      programAddress: toAddress(program),
      accounts: accounts.map(({ address, role }) => ({ address: toAddress(address), role })),
      data: copyOf(Buffer.from(data, 'base64')),
    })),
    transactions: file.txs,
    err: file.err,
    before,
    after,
    raw,
  };
}

function stateOf(state: StateFile | null): GoldenAccount | undefined {
  if (state === null) return undefined;
  return {
    owner: toAddress(state.owner),
    lamports: BigInt(state.lamports),
    data: copyOf(gunzipSync(Buffer.from(state.dataGz, 'base64'))),
  };
}

const chainTime = ({ slot, unix }: { slot: string; unix: string }): ChainTime => ({
  slot: toSlot(BigInt(slot)),
  unix: toUnixSeconds(BigInt(unix)),
});

/** Copies a Node buffer to a plain Uint8Array, so that equality checks do not see its class. */
const copyOf = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes);
