import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { Decoded, Shape, Struct } from '#core/base/encoding/layout.ts';
import { type Lamports, toLamports } from '#core/base/numbers/lamports.ts';
import type { AccountCodec } from '#core/base/solana/account.ts';
import { type AccountMeta, WRITE } from '#core/base/solana/instruction.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { type ObligationKind, obligationAddress } from '#core/protocol/klend/pda.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { type GoldenAccount, type GoldenFlow, readGolden } from '../golden/golden.ts';

export type GoldenClusterFile = {
  readonly tokens: Readonly<Record<string, { readonly mint: string }>>;
  readonly markets: readonly {
    readonly name: string;
    readonly address: string;
    readonly authority: string;
    readonly reserves: Readonly<Record<string, ClusterReserve>>;
  }[];
  readonly users: readonly {
    readonly name: string;
    readonly address: string;
    readonly obligations: readonly {
      readonly market: string;
      readonly kind: FlowObligation;
      readonly address: string;
    }[];
  }[];
  readonly vaults: readonly ClusterVault[];
};

type ClusterReserve = {
  readonly address: string;
  readonly liquiditySupply: string;
  readonly feeVault: string;
  readonly collateralMint: string;
  readonly collateralSupply: string;
};

type ClusterVault = {
  readonly address: string;
  readonly authority: string;
  readonly tokenVault: string;
  readonly sharesMint: string;
  readonly allocations: readonly { readonly reserve: string; readonly ctokenVault: string }[];
};

export type FlowObligation = {
  readonly tag: number;
  readonly id: number;
  readonly seed1?: string;
  readonly seed2?: string;
};

/** The request of a flow, as in its file. */
export type FlowParameters = {
  readonly operation: string;
  readonly user: string;
  readonly market?: string;
  readonly symbol?: string;
  readonly amount?: string;
  readonly obligation?: FlowObligation;
  readonly deposit?: string;
  readonly borrow?: string;
  readonly repay?: string;
  readonly withdraw?: string;
  readonly coll?: string;
  readonly debt?: string;
  readonly vault?: string;
  readonly side?: 'collFarm' | 'debtFarm';
};

export type LendingOperation = 'deposit' | 'borrow' | 'repay' | 'withdraw';

export type FlowReserve = Reserve & { readonly address: Address };

export const readGoldenClusterFile = (): GoldenClusterFile =>
  readGolden('cluster.json') as GoldenClusterFile;

/** Maps the tags in the cluster file to obligation kinds. */
export function obligationKind({ tag, seed1, seed2 }: FlowObligation): ObligationKind {
  const [first, second] = [toAddress(seed1 ?? ZERO_ADDRESS), toAddress(seed2 ?? ZERO_ADDRESS)];
  if (tag === 0) return { kind: 'vanilla' };
  if (tag === 2) return { kind: 'lending', mint: first };
  if (tag === 1) return { kind: 'multiply', collateralMint: first, debtMint: second };
  if (tag === 3) return { kind: 'leverage', collateralMint: first, debtMint: second };
  throw new Error(`no flow has an obligation of tag ${tag}`);
}

/** Shared by all flows: names, and the accounts before the first flow. */
export type FlowSetup = {
  readonly cluster: GoldenClusterFile;
  readonly accounts: ReadonlyMap<Address, GoldenAccount>;
};

/** The accounts of a flow by role, and its obligation after the instructions so far. */
export class FlowContext {
  readonly flow: GoldenFlow;
  readonly parameters: FlowParameters;
  readonly user: Address;
  readonly #setup: FlowSetup;
  /** Reserves by slot; the zero address marks a free slot. */
  readonly #deposits: Address[] = new Array(8).fill(ZERO_ADDRESS);
  readonly #borrows: Address[] = new Array(5).fill(ZERO_ADDRESS);
  elevationGroup = 0;

  constructor(flow: GoldenFlow, setup: FlowSetup) {
    this.flow = flow;
    this.parameters = flow.raw as unknown as FlowParameters;
    this.#setup = setup;
    this.user = this.wallet(this.parameters.user);
    const raw = this.parameters.market === undefined ? undefined : flow.before.get(this.obligation);
    if (raw === undefined) return;
    const initial = obligation.decode(raw);
    if (initial.referrer !== ZERO_ADDRESS) throw new Error('no flow has a referrer');
    initial.deposits.forEach(({ depositReserve }, i) => {
      this.#deposits[i] = depositReserve;
    });
    initial.borrows.forEach(({ borrowReserve }, i) => {
      this.#borrows[i] = borrowReserve;
    });
    this.elevationGroup = initial.elevationGroup;
  }

  wallet(name: string): Address {
    const found = this.#setup.cluster.users.find((user) => user.name === name);
    if (found === undefined) throw new Error(`no wallet ${name}`);
    return toAddress(found.address);
  }

  mint(symbol: string): Address {
    return toAddress(this.#setup.cluster.tokens[symbol]?.mint ?? '');
  }

  get market(): Address {
    const found = this.#setup.cluster.markets.find(({ name }) => name === this.parameters.market);
    return toAddress(found?.address ?? '');
  }

  /** The obligation of the operation; a liquidation acts on another wallet's. */
  get obligation(): Address {
    const { operation, coll, debt, obligation: requested } = this.parameters;
    const kind =
      coll === undefined || debt === undefined
        ? obligationKind(requested ?? { tag: 0, id: 0 })
        : ({
            kind: 'multiply',
            collateralMint: this.mint(coll),
            debtMint: this.mint(debt),
          } as const);
    const owner = operation === 'liquidate' ? this.wallet('risky') : this.user;
    return obligationAddress({
      ...kind,
      owner,
      lendingMarket: this.market,
      id: requested?.id ?? 0,
    });
  }

  /** An account that no instruction of the flow uses is unchanged since before all flows. */
  read<S extends Shape>(layout: AccountCodec<S>, address: Address): Decoded<Struct<S>> {
    const raw = this.flow.before.get(address) ?? this.#setup.accounts.get(address);
    if (raw === undefined) throw new Error(`${this.flow.name} does not have ${address}`);
    return layout.decode(raw);
  }

  reserveAt(address: Address): FlowReserve {
    return { ...this.read(reserve, address), address };
  }

  reserveOf(symbol: string): FlowReserve {
    const market = this.#setup.cluster.markets.find(({ name }) => name === this.parameters.market);
    return this.reserveAt(toAddress(market?.reserves[symbol]?.address ?? ''));
  }

  /** The reserve of a step of the flow. */
  operationReserve(operation: LendingOperation): FlowReserve {
    const { parameters } = this;
    const isCollateral = operation === 'deposit' || operation === 'withdraw';
    const pair = isCollateral ? parameters.coll : parameters.debt;
    return this.reserveOf(parameters[operation] ?? pair ?? parameters.symbol ?? '');
  }

  tokenProgram(mint: Address): Address {
    const raw = this.flow.before.get(mint);
    if (raw === undefined) throw new Error(`${this.flow.name} does not have the mint ${mint}`);
    return raw.owner;
  }

  ata(mint: Address, owner = this.user): Address {
    return associatedTokenAddress(owner, mint, this.tokenProgram(mint));
  }

  /** The reserve's farm and the obligation's account in it, as optional accounts. */
  farmOf(farm: Address): {
    readonly state: Address | undefined;
    readonly user: Address | undefined;
  } {
    if (farm === ZERO_ADDRESS) return { state: undefined, user: undefined };
    return { state: farm, user: userStateAddress(farm, this.obligation) };
  }

  get depositReserves(): AccountMeta[] {
    return metas(this.#deposits);
  }

  /** The accounts that a refresh of the obligation lists. */
  get positions(): AccountMeta[] {
    return [...this.depositReserves, ...metas(this.#borrows)];
  }

  /** The requested amount, if the file has it in smallest units. */
  amountOr(recorded: bigint): Lamports {
    const { amount, coll } = this.parameters;
    return toLamports(amount === undefined || coll !== undefined ? recorded : BigInt(amount));
  }

  openPosition(operation: 'deposit' | 'borrow'): void {
    const slots = operation === 'deposit' ? this.#deposits : this.#borrows;
    const { address } = this.operationReserve(operation);
    if (slots.includes(address)) return;
    slots[slots.indexOf(ZERO_ADDRESS)] = address;
  }

  closePosition(operation: 'repay' | 'withdraw'): void {
    const slots = operation === 'withdraw' ? this.#deposits : this.#borrows;
    slots[slots.indexOf(this.operationReserve(operation).address)] = ZERO_ADDRESS;
  }
}

const metas = (slots: readonly Address[]): AccountMeta[] =>
  slots.filter((address) => address !== ZERO_ADDRESS).map((address) => ({ address, role: WRITE }));
