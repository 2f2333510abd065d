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

/** What was asked, in the words of the flow's file. */
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

/** The seven tags as the cluster's file writes them, in our words. */
export function obligationKind({ tag, seed1, seed2 }: FlowObligation): ObligationKind {
  const [first, second] = [toAddress(seed1 ?? ZERO_ADDRESS), toAddress(seed2 ?? ZERO_ADDRESS)];
  if (tag === 0) return { kind: 'vanilla' };
  if (tag === 2) return { kind: 'lending', mint: first };
  if (tag === 1) return { kind: 'multiply', collateralMint: first, debtMint: second };
  if (tag === 3) return { kind: 'leverage', collateralMint: first, debtMint: second };
  throw new Error(`no flow has an obligation of tag ${tag}`);
}

/** What all flows share: names, and the accounts before the first. */
export type FlowSetup = {
  readonly cluster: GoldenClusterFile;
  readonly accounts: ReadonlyMap<Address, GoldenAccount>;
};

/** The accounts of a flow by what they mean, and its obligation as far as its instructions have come. */
export class FlowContext {
  readonly flow: GoldenFlow;
  readonly parameters: FlowParameters;
  readonly user: Address;
  readonly #setting: FlowSetup;
  /** Reserves by place; the zero address is a free place. */
  readonly #deposits: Address[] = new Array(8).fill(ZERO_ADDRESS);
  readonly #borrows: Address[] = new Array(5).fill(ZERO_ADDRESS);
  elevationGroup = 0;

  constructor(flow: GoldenFlow, setting: FlowSetup) {
    this.flow = flow;
    this.parameters = flow.raw as unknown as FlowParameters;
    this.#setting = setting;
    this.user = this.wallet(this.parameters.user);
    const raw = this.parameters.market === undefined ? undefined : flow.before.get(this.obligation);
    if (raw === undefined) return;
    const start = obligation.decode(raw);
    if (start.referrer !== ZERO_ADDRESS) throw new Error('no flow has a referrer');
    start.deposits.forEach(({ depositReserve }, i) => {
      this.#deposits[i] = depositReserve;
    });
    start.borrows.forEach(({ borrowReserve }, i) => {
      this.#borrows[i] = borrowReserve;
    });
    this.elevationGroup = start.elevationGroup;
  }

  wallet(name: string): Address {
    const found = this.#setting.cluster.users.find((user) => user.name === name);
    if (found === undefined) throw new Error(`no wallet ${name}`);
    return toAddress(found.address);
  }

  mint(symbol: string): Address {
    return toAddress(this.#setting.cluster.tokens[symbol]?.mint ?? '');
  }

  get market(): Address {
    const found = this.#setting.cluster.markets.find(({ name }) => name === this.parameters.market);
    return toAddress(found?.address ?? '');
  }

  /** The obligation that is acted on; in the liquidation it is not the user's. */
  get obligation(): Address {
    const { operation, coll, debt, obligation: asked } = this.parameters;
    const kind =
      coll === undefined || debt === undefined
        ? obligationKind(asked ?? { tag: 0, id: 0 })
        : ({
            kind: 'multiply',
            collateralMint: this.mint(coll),
            debtMint: this.mint(debt),
          } as const);
    const owner = operation === 'liquidate' ? this.wallet('risky') : this.user;
    return obligationAddress({ ...kind, owner, lendingMarket: this.market, id: asked?.id ?? 0 });
  }

  /** An account that no instruction of the flow names is as it was before all flows. */
  read<S extends Shape>(layout: AccountCodec<S>, address: Address): Decoded<Struct<S>> {
    const raw = this.flow.before.get(address) ?? this.#setting.accounts.get(address);
    if (raw === undefined) throw new Error(`${this.flow.name} does not have ${address}`);
    return layout.decode(raw);
  }

  reserveAt(address: Address): FlowReserve {
    return { ...this.read(reserve, address), address };
  }

  reserveOf(symbol: string): FlowReserve {
    const market = this.#setting.cluster.markets.find(
      ({ name }) => name === this.parameters.market,
    );
    return this.reserveAt(toAddress(market?.reserves[symbol]?.address ?? ''));
  }

  /** The reserve that a step of the flow is about. */
  operationReserve(side: LendingOperation): FlowReserve {
    const { parameters } = this;
    const pair = side === 'deposit' || side === 'withdraw' ? parameters.coll : parameters.debt;
    return this.reserveOf(parameters[side] ?? pair ?? parameters.symbol ?? '');
  }

  tokenProgram(mint: Address): Address {
    const raw = this.flow.before.get(mint);
    if (raw === undefined) throw new Error(`${this.flow.name} does not have the mint ${mint}`);
    return raw.owner;
  }

  ata(mint: Address, owner = this.user): Address {
    return associatedTokenAddress(owner, mint, this.tokenProgram(mint));
  }

  /** The reserve's farm and the obligation's state in it, as optional accounts. */
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

  /** The list that a refresh of the obligation takes. */
  get positions(): AccountMeta[] {
    return [...this.depositReserves, ...metas(this.#borrows)];
  }

  /** The amount that was asked for, if the flow's file has it in the token's smallest unit. */
  amountOr(recorded: bigint): Lamports {
    const { amount, coll } = this.parameters;
    return toLamports(amount === undefined || coll !== undefined ? recorded : BigInt(amount));
  }

  openPosition(side: 'deposit' | 'borrow'): void {
    const places = side === 'deposit' ? this.#deposits : this.#borrows;
    const { address } = this.operationReserve(side);
    if (places.includes(address)) return;
    places[places.indexOf(ZERO_ADDRESS)] = address;
  }

  closePosition(side: 'repay' | 'withdraw'): void {
    const places = side === 'withdraw' ? this.#deposits : this.#borrows;
    places[places.indexOf(this.operationReserve(side).address)] = ZERO_ADDRESS;
  }
}

const metas = (places: readonly Address[]): AccountMeta[] =>
  places.filter((address) => address !== ZERO_ADDRESS).map((address) => ({ address, role: WRITE }));
