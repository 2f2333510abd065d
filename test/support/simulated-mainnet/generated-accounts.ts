import { type Address, addressFromBytes, addressToBytes } from '#core/base/encoding/address.ts';
import type { ClusterAccount, KeyedAccount } from '#core/base/solana/cluster-account.ts';
import { type Slot, toSlot } from '#core/base/time.ts';
import type { Bank } from '#localnet/runtime/bank.ts';
import { type AccountTemplate, loanTemplates, stakeTemplates } from './account-templates.ts';
import { generatedKey, numberOfKey } from './generated-keys.ts';
import { WriteSchedule } from './write-schedule.ts';

const ADDRESS_KEY = 1;
const WALLET_KEY = 2;

export type GeneratedAccountOptions = {
  readonly bank: Bank;
  readonly loans: number;
  readonly farmUsers: number;
  /** The number of writes of a loan from one change of its position to the next. The others only refresh it. */
  readonly writesPerChange: number;
};

/** Accounts `first` to `first + count - 1` are copies of the templates of one program, in turn. */
export type GeneratedKind = {
  readonly program: Address;
  readonly first: number;
  readonly count: number;
  readonly templates: readonly AccountTemplate[];
};

/**
 * Loans and farm users beside those of a simulated cluster. They are computed when they are read, as of any slot, so they
 * take no memory: each is a copy of an account of the cluster, with its own address, owner and amounts.
 */
export class GeneratedAccounts {
  readonly schedule: WriteSchedule;
  readonly kinds: readonly GeneratedKind[];
  readonly #origin: Slot;
  /** Accounts whose last write was undone, by number, with the slot after it. */
  readonly #restored = new Map<number, Slot>();
  readonly #loans: number;
  readonly #writesPerChange: number;

  constructor({ bank, loans, farmUsers, writesPerChange }: GeneratedAccountOptions) {
    this.#origin = bank.slot;
    this.#loans = loans;
    this.#writesPerChange = writesPerChange;
    this.kinds = [
      kindOf(loanTemplates(bank), { first: 0, count: loans }),
      kindOf(stakeTemplates(bank), { first: loans, count: farmUsers }),
    ];
    this.schedule = new WriteSchedule(loans + farmUsers, bank.slot);
  }

  addressOf(number: number): Address {
    return addressFromBytes(generatedKey(ADDRESS_KEY, number));
  }

  /** The wallet of an account. As many wallets as loans, each with one loan and its part of the farm users. */
  walletOf(number: number): Address {
    return addressFromBytes(this.#walletKey(number));
  }

  numberOf(address: Address): number | undefined {
    const number = numberOfKey(ADDRESS_KEY, addressToBytes(address));
    return number !== undefined && this.#kindOf(number) !== undefined ? number : undefined;
  }

  /** The account at the end of a slot. */
  at(number: number, slot: Slot): ClusterAccount | undefined {
    const kind = this.#kindOf(number);
    const template = kind?.templates[number % kind.templates.length];
    if (template === undefined) return undefined;
    const { account, write } = template;
    const data = account.data.slice();
    const written = this.schedule.lastWrite(number, slot);
    const round = written === undefined ? 0 : written.round + 1;
    write(data, {
      number,
      owner: this.#walletKey(number),
      loan: generatedKey(ADDRESS_KEY, number % this.#loans),
      slot: written?.slot ?? this.#origin,
      round,
      change: Math.floor((round + (number % this.#writesPerChange)) / this.#writesPerChange),
    });
    return { ...account, data };
  }

  /** Undoes all slots after one. As the simulated cluster does, the next slot announces what is as before again. */
  rollBack(slot: Slot, newest: Slot): void {
    const next = toSlot(slot + 1n);
    for (const [number, restoredIn] of this.#restored) {
      if (restoredIn > slot) this.#restored.set(number, next);
    }
    for (let undone = next; undone <= newest; undone = toSlot(undone + 1n)) {
      for (const number of this.schedule.writtenIn(undone)) this.#restored.set(number, next);
    }
    this.schedule.rollBack(slot, newest);
  }

  /** Those of a program that are written or restored in a slot, as they are at its end. */
  *writtenIn(slot: Slot, program: Address): Iterable<KeyedAccount> {
    const restored = [...this.#restored].filter(([, restoredIn]) => restoredIn === slot);
    for (const number of [...this.schedule.writtenIn(slot), ...restored.map(([each]) => each)]) {
      if (this.#kindOf(number)?.program !== program) continue;
      const account = this.at(number, slot);
      if (account !== undefined) yield { address: this.addressOf(number), account };
    }
  }

  /** The slot in which the account was written or restored last, or else created. */
  lastWritten(number: number, slot: Slot): Slot {
    const written = this.schedule.lastWrite(number, slot)?.slot ?? this.#origin;
    const restored = this.#restored.get(number) ?? this.#origin;
    return restored > written && restored <= slot ? restored : written;
  }

  #walletKey(number: number): Uint8Array {
    return generatedKey(WALLET_KEY, number % this.#loans);
  }

  #kindOf(number: number): GeneratedKind | undefined {
    return this.kinds.find(({ first, count }) => number >= first && number < first + count);
  }
}

function kindOf(
  templates: readonly AccountTemplate[],
  range: Pick<GeneratedKind, 'first' | 'count'>,
): GeneratedKind {
  const [template] = templates;
  if (template === undefined) throw new Error('the simulated cluster has no account to copy');
  return { ...range, templates, program: template.account.owner };
}
